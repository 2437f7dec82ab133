import { z } from 'zod';
import { isFileId } from '../files/file';

const pixel = z.number().min(0).max(10_000);
/** A name, alone or in a chord; a character alone is a text, so that what is typed into a password field is masked. */
const KEY = /^(?:(?:Control|Alt|Meta|Shift)\+)*(?:[A-Z][A-Za-z]+\d*|F\d+|(?<=(?:Control|Alt|Meta)\+)\S)$/;

const ask = z.int().min(1).meta({ description: 'The `ask` of what it answers' });

const fileId = z.string().refine(isFileId, 'expected the id of an uploaded file: file_ and 32 hexadecimal digits');

/** One thing that a person does at the browser. Coordinates are CSS pixels of the view. */
export const PersonActSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('click'),
    x: pixel,
    y: pixel,
    button: z.enum(['left', 'right', 'middle']).default('left'),
    clicks: z.int().min(1).max(3).default(1),
  }),
  z.strictObject({ kind: z.literal('hover'), x: pixel, y: pixel }),
  z.strictObject({
    kind: z.literal('wheel'),
    x: pixel,
    y: pixel,
    byX: z.number().min(-100_000).max(100_000).default(0),
    byY: z.number().min(-100_000).max(100_000).default(0),
  }),
  z.strictObject({
    kind: z.literal('key'),
    key: z
      .string()
      .max(60)
      .regex(KEY, 'expected the name of a key, such as Enter or Control+A; send characters as text'),
  }),
  z.strictObject({ kind: z.literal('text'), text: z.string().min(1).max(10_000) }),
  z
    .strictObject({ kind: z.literal('choose'), ask, option: z.int().min(0) })
    .meta({ description: 'Chooses in the list that the page asks with: the option at this place, from 0' }),
  z
    .strictObject({
      kind: z.literal('dialog'),
      ask: ask.optional(),
      accept: z.boolean(),
      text: z.string().max(10_000).optional().meta({ description: 'What is written into a prompt' }),
    })
    .meta({
      description:
        'Answers the dialog that the page waits with. Where none waits, and without `ask`, it answers the dialogs of your next act',
    }),
  z
    .strictObject({ kind: z.literal('files'), ask, files: z.array(fileId).min(1).max(20) })
    .meta({ description: 'Gives uploaded files (POST /v1/files) to the file chooser that the page has opened' }),
  z
    .strictObject({ kind: z.literal('tab'), tab: z.int().min(1) })
    .meta({ description: 'Brings a tab to the front: its place in the live view, from 1' }),
]);
export type PersonAct = z.infer<typeof PersonActSchema>;

const takeoverId = z
  .string()
  .regex(/^[\w-]{16,64}$/, 'expected 16 to 64 letters, digits, dashes or underscores')
  .meta({ description: 'Chosen by whoever takes over: a repeated request changes nothing' });

export const TakeOverRequestSchema = z.object({
  takeoverId,
  by: z.string().min(1).max(200).optional().meta({ description: 'Who takes over, for the log' }),
});
export type TakeOverRequest = z.input<typeof TakeOverRequestSchema>;

export const TakeoverInputSchema = z.object({
  takeoverId,
  acts: z
    .array(z.object({ number: z.int().min(1), act: PersonActSchema }))
    .min(1)
    .max(100)
    .meta({ description: 'In the order of their numbers, from 1; a number that was sent before changes nothing' }),
});
export type TakeoverInput = z.input<typeof TakeoverInputSchema>;

export const HandBackRequestSchema = z.object({ takeoverId });
export type HandBackRequest = z.input<typeof HandBackRequestSchema>;

/** Why a takeover has ended, or is about to. */
export const TakeoverEndSchema = z.enum(['handed-back', 'time-limit', 'resumed', 'browser-lost']);
export type TakeoverEnd = z.infer<typeof TakeoverEndSchema>;

/** Longer lists and texts are cut. */
export const MOST_OPTIONS = 500;
export const LONGEST_LABEL = 200;
export const LONGEST_COPIED = 100_000;

/** What a page asks the person who has taken it over, where a browser would draw it outside of the page. Secrets are masked. */
export const PageAskSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('list'),
    ask: z.int(),
    name: z.string(),
    options: z.array(
      z.object({ label: z.string(), value: z.string(), isDisabled: z.boolean(), isChosen: z.boolean() }),
    ),
  }),
  /** A file chooser: the next act drops it. */
  z.object({ kind: z.literal('files'), ask: z.int(), name: z.string(), isMultiple: z.boolean(), accepts: z.string() }),
  /** It asks nothing: the text that the person has copied, for their own clipboard. */
  z.object({ kind: z.literal('copied'), ask: z.int(), text: z.string() }),
  /** An alert, confirm, prompt, or question whether to leave: it holds its page until it is answered. */
  z.object({
    kind: z.literal('dialog'),
    ask: z.int(),
    type: z.string(),
    message: z.string(),
    accepted: z.boolean().optional().meta({ description: 'How it was answered; absent while it waits for you' }),
    until: z.string().optional().meta({ description: 'So long it waits; then it is answered as always' }),
  }),
]);
export type PageAsk = z.infer<typeof PageAskSchema>;

/**
 * A person at the browser of a session. `requested`: its command under way is finished first; `open`: acts are taken;
 * `ending`: the page is kept, then the session goes on.
 */
export const TakeoverSchema = z.object({
  takeoverId: z.string(),
  by: z.string().optional(),
  state: z.enum(['requested', 'open', 'ending', 'ended']),
  end: TakeoverEndSchema.optional(),
  /** Acts that were taken and not begun. */
  waiting: z.number(),
  asks: PageAskSchema.optional().meta({
    description: 'What the page asks since the newest click; the next act answers it, or drops it',
  }),
});
export type Takeover = z.infer<typeof TakeoverSchema>;
