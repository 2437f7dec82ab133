import { z } from 'zod';
import { MoneySchema } from '../../contracts/models/decimal';
import { StartRequestSchema } from '../../contracts/sessions/start-request';
import { toPattern } from './pattern';

const text = z.string().trim().min(1, 'expected a text, got an empty one');
const texts = z.union([text.transform((one) => [one]), z.array(text).min(1)]);
const url = text.regex(
  /^(https?:\/\/|\$\{\w+\})/,
  'expected an address that begins with http://, https:// or a ${site}',
);
/** A part of a text, or a regular expression between slashes. */
const pattern = text.refine((given) => isPattern(given), 'the text between the slashes is no regular expression');
const NAME = /^[a-z_]\w*$/i;

/** What a server says of its state after the run: exactly one of `equals`, `contains` and `count` is compared. */
const StateCheckSchema = z
  .strictObject({
    get: url,
    /** Where in its JSON: names and numbers with dots between, such as `orders.0.total`; all of it by default. */
    at: text.optional(),
    equals: z.json().optional(),
    contains: pattern.optional(),
    count: z.int().min(0).optional(),
  })
  .refine(
    ({ equals, contains, count }) => [equals, contains, count].filter((each) => each !== undefined).length === 1,
    'expected one of `equals`, `contains` and `count`',
  );
export type StateCheck = z.infer<typeof StateCheckSchema>;

const ExpectationSchema = z.strictObject({
  /** Sentences that the built-in model `rules` checks on the last page, such as `Expect "Thank you"`. */
  page: texts.optional(),
  /** Of a task: a part of its answer, without case, or a regular expression between slashes. */
  answer: pattern.optional(),
  /** Of saved variables: their texts, or regular expressions between slashes. */
  variables: z.record(z.string().regex(NAME), pattern).optional(),
  state: z.array(StateCheckSchema).min(1).optional(),
  /** `fails` for what can't be done: it passes when the model says so, and when everything else holds. */
  outcome: z.enum(['completes', 'fails']).default('completes'),
});

const BudgetSchema = z.strictObject({
  tokens: z.int().positive().optional(),
  cost: MoneySchema.optional(),
  /** Of active time. */
  seconds: z.number().positive().max(86_400).optional(),
});

const CaseSchema = z
  .strictObject({
    name: text.max(100),
    start: url.optional(),
    steps: z.array(StartRequestSchema.shape.steps.element).min(1).optional(),
    task: text.optional(),
    variables: StartRequestSchema.shape.variables,
    secrets: StartRequestSchema.shape.secrets,
    /** Over the `config` of the file, as `budget` over its budget. */
    config: z.record(z.string(), z.unknown()).default({}),
    budget: BudgetSchema.optional(),
    expect: ExpectationSchema.refine(
      ({ page, answer, variables, state, outcome }) =>
        outcome === 'fails' || [page, answer, variables, state].some((each) => each !== undefined),
      'a case without an expectation proves nothing: give `page`, `answer`, `variables`, `state` or `outcome: fails`',
    ),
  })
  .refine(({ steps, task }) => (steps === undefined) !== (task === undefined), 'expected either `steps` or `task`');
export type EvalCase = z.infer<typeof CaseSchema>;

/** The file of `surefoot eval`. */
export const EvalFileSchema = z.strictObject({
  name: text.optional(),
  /** Folders with pages, served anew for each run; `${name}` is the address. */
  sites: z.record(z.string().regex(NAME), text).default({}),
  /** Names of models, or of fallback lists; the model of the stack by default. */
  models: z.array(text).min(1).optional(),
  repeats: z.int().min(1).max(1000).default(1),
  /** The share of runs from 0 to 1 that have to succeed with each model. */
  minimumRate: z.number().min(0).max(1).default(1),
  budget: BudgetSchema.default({}).transform((given) => ({ ...given, seconds: given.seconds ?? 180 })),
  /** The `config` of each session. */
  config: z.record(z.string(), z.unknown()).default({}),
  cases: z
    .array(CaseSchema)
    .min(1, 'expected at least one case')
    .refine((cases) => new Set(cases.map(({ name }) => name)).size === cases.length, 'two cases have the same name'),
});
export type EvalFile = z.infer<typeof EvalFileSchema>;

function isPattern(given: string): boolean {
  try {
    toPattern(given);
    return true;
  } catch {
    return false;
  }
}
