import { z } from 'zod';
import { shortened } from '../text';
import { ApprovedRequestSchema, type ApprovedRequest } from './approved-request';

/** The part of a page that a person decides on, as it was when they were asked. Secrets are masked. */
export const ApprovalViewSchema = z.object({
  /** Of everything that the approval is bound to, whole and unmasked. */
  digest: z.string().meta({ description: 'Changes with the values, texts and amounts that the approval is bound to' }),
  submitsTo: z.string().optional().meta({ description: 'Where pressing the element sends its form, with the method' }),
  fields: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .meta({ description: 'The values of the form around the element, hidden ones too' }),
  text: z.string().meta({ description: 'The text around the element, up to its form, section or dialog' }),
  amounts: z.array(z.string()).meta({ description: 'Sums of money anywhere on the page' }),
  elsewhere: z
    .array(z.string())
    .optional()
    .meta({ description: 'Other texts of the page that have numbers, and the values of its other fields' }),
  request: ApprovedRequestSchema.optional().meta({
    description: 'The request that the page was about to send instead of what was shown; it was held and not sent',
  }),
  sockets: z.array(z.string()).optional().meta({
    description: 'Addresses that the page is connected to by WebSockets: what it sends there is compared, and not held',
  }),
  screenshotId: z
    .string()
    .optional()
    .meta({ description: 'A picture of the page, among the screenshots of the session' }),
});
export type ApprovalView = z.infer<typeof ApprovalViewSchema>;

/** What stands in place of a value that nobody may read. */
export const MASKED_VALUE = '••••';

const SHOWN_TEXT = 300;
const SHOWN_REQUEST = 1000;
const MOST_CHANGES = 20;

/** Says what a form sends and what stands around the element, as sentences. */
export function describeView({ submitsTo, fields, text, amounts, request, sockets = [] }: ApprovalView): string[] {
  const values = fields.map(({ name, value }) => `${name} = “${value}”`).join(', ');
  const sends =
    submitsTo === undefined
      ? values === ''
        ? []
        : [`The form there has: ${values}.`]
      : [`It sends to ${submitsTo}: ${values === '' ? 'no values' : values}.`];
  return [
    ...(request === undefined ? [] : [describeRequest(request)]),
    ...sends,
    ...(sockets.length === 0
      ? []
      : [
          `The page is connected to ${shortened(sockets.join(', '), SHOWN_TEXT)}: what it sends there can't be held back, and is compared when it has left.`,
        ]),
    ...(amounts.length === 0 ? [] : [`Sums on the page: ${shortened(amounts.join(', '), SHOWN_TEXT)}.`]),
    ...(text === '' ? [] : [`Around it: “${shortened(text, SHOWN_TEXT)}”.`]),
  ];
}

/** Says what a request that was held would have sent. */
export function describeRequest({ method, url, values }: ApprovedRequest): string {
  const sent = values.map(([name, value]) => `${name} = “${value}”`).join(', ');
  return `What would leave is ${method} ${url} with ${sent === '' ? 'no values' : shortened(sent, SHOWN_REQUEST)}.`;
}

/** What differs between the page that was approved and the page as it is now, as sentences; at least one. */
export function changesBetween(before: ApprovalView | undefined, after: ApprovalView | undefined): string[] {
  if (before === undefined || after === undefined) return ['The page is not as it was shown.'];
  const changes: string[] = [];
  const change = (name: string, was: string | undefined, is: string | undefined): void => {
    if (was === is) return;
    if (was === undefined) changes.push(`${name} is new: “${is}”.`);
    else changes.push(is === undefined ? `${name} was “${was}” and is gone.` : `${name} was “${was}” and is “${is}”.`);
  };
  change('The address it is sent to', before.submitsTo, after.submitsTo);
  const [was, is] = [before, after].map(({ fields }) => byName(fields)) as [Map<string, string>, Map<string, string>];
  for (const name of new Set([...was.keys(), ...is.keys()])) change(name, was.get(name), is.get(name));
  if (before.text !== after.text) {
    const [old, now] = differingWords(before.text, after.text);
    changes.push(`The text around it was “${old}” and is “${now}”.`);
  } else if (before.amounts.join() !== after.amounts.join()) {
    changes.push(`The amounts on the page were ${before.amounts.join(', ')} and are ${after.amounts.join(', ')}.`);
  } else changes.push(...changesElsewhere(before, after));
  if (after.request !== undefined) changes.push(describeRequest(after.request));
  if (changes.length > 0) return changes.slice(0, MOST_CHANGES);
  return [
    before.digest === after.digest ? 'The page is not as it was shown.' : 'A picture or a masked value has changed.',
  ];
}

function changesElsewhere({ elsewhere: before = [] }: ApprovalView, { elsewhere: after = [] }: ApprovalView): string[] {
  const gone = before.filter((text) => !after.includes(text));
  const come = after.filter((text) => !before.includes(text));
  if (gone.length + come.length === 0) return [];
  const list = (texts: string[]): string =>
    texts.map((text) => `“${shortened(text, SHOWN_TEXT)}”`).join(', ') || 'nothing';
  return [`Elsewhere on the page ${list(gone)} was there, and now ${list(come)} is.`];
}

/** Fields of one name get numbers: their order is that of the page. */
function byName(fields: ApprovalView['fields']): Map<string, string> {
  const named = new Map<string, string>();
  for (const { name, value } of fields) {
    let key = name;
    for (let number = 2; named.has(key); number += 1) key = `${name} (${number})`;
    named.set(key, value);
  }
  return named;
}

/** The words from the first to the last that differs. */
function differingWords(before: string, after: string): [string, string] {
  const [old, now] = [before.split(' '), after.split(' ')];
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  // A word on each side says which text it is, and keeps an amount together with its currency.
  const around = (words: string[]): string =>
    shortened(words.slice(Math.max(0, head - 1), words.length - Math.max(0, tail - 1)).join(' '), SHOWN_TEXT);
  return [around(old), around(now)];
}
