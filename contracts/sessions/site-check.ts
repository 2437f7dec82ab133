import { z } from 'zod';
import type { Issue } from '../errors/issues';
import { namesIn } from './once';

const UNIT_MS = { s: 1000, m: 60_000 } as const;
const DEFAULT_LOOKS = 4;
const DEFAULT_WITHIN = '20s';
const MOST_LINES = 10;
const MOST_LOOKS = 20;

const LineSchema = z
  .string()
  .trim()
  .min(1, 'a line of a check must say what to open or to expect, got an empty text')
  .max(500, 'a line of a check may have at most 500 characters');

const LinesSchema = z
  .array(LineSchema)
  .min(2, 'a check opens a page and expects something on it, as in ["Open ${shop}/orders", "Expect \\"${invoice}\\""]')
  .max(MOST_LINES, `a check takes at most ${MOST_LINES} lines`);

/** Finds out on the site whether what a step does has happened: lines that only look, or those with options. */
export const CheckSchema = z.union([
  LinesSchema,
  z.strictObject({
    steps: LinesSchema.meta({ description: 'Opens a page, and expects what it shows when it has happened' }),
    before: z
      .boolean()
      .optional()
      .meta({ description: 'Also looks before the step begins: what is there already is not done again' }),
    looks: z
      .int()
      .min(1)
      .max(MOST_LOOKS)
      .optional()
      .meta({
        description: `How often it has to be missing before it counts as not done; ${DEFAULT_LOOKS} where it is left out`,
      }),
    within: z
      .string()
      .regex(/^[1-9]\d{0,3}[sm]$/, 'expected seconds or minutes, such as "20s" or "5m"')
      .optional()
      .meta({ description: `The time over which those looks are spread; ${DEFAULT_WITHIN} where it is left out` }),
  }),
]);
export type Check = z.infer<typeof CheckSchema>;

/** With every option decided. */
export interface SiteCheck {
  lines: string[];
  before: boolean;
  looks: number;
  withinMs: number;
}

export function siteCheck(check: Check): SiteCheck {
  const {
    steps,
    before = false,
    looks = DEFAULT_LOOKS,
    within = DEFAULT_WITHIN,
  } = Array.isArray(check) ? { steps: check } : check;
  const unit = within.at(-1) as keyof typeof UNIT_MS;
  return { lines: steps, before, looks, withinMs: Number.parseInt(within, 10) * UNIT_MS[unit] };
}

/** The option that this was planned from. */
export function checkOf({ lines, before, looks, withinMs }: SiteCheck): Check {
  return { steps: lines, ...(before ? { before } : {}), looks, within: `${withinMs / UNIT_MS.s}s` };
}

export function linesOf(check: Check): string[] {
  return Array.isArray(check) ? check : check.steps;
}

/** What one look at the site has found. */
export interface SiteFinding {
  /** `unsure`: the look itself has failed, so it says nothing. */
  finding: 'found' | 'not-there' | 'unsure';
  /** A sentence. */
  seen: string;
  /** Of the page that was looked at. */
  url: string;
  screenshotId?: string;
  /** The page asks to sign in. */
  asksToSignIn?: true;
}

/** The longest wait after a look that has failed. */
const LONGEST_PAUSE_MS = 60_000;

/** The wait after so many looks that have not found it: each twice as long as the one before, all together `withinMs`. */
export function pauseMs({ looks, withinMs }: Pick<SiteCheck, 'looks' | 'withinMs'>, missed: number): number {
  return looks < 2 ? 0 : Math.round((withinMs * 2 ** (missed - 1)) / (2 ** (looks - 1) - 1));
}

/** The wait after so many looks that have failed. */
export function pauseAfterFailureMs(failed: number): number {
  return Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** (failed - 1));
}

const QUOTED = /"[^"]*"|“[^”]*”/g;
const OPEN = /^(?:open|go to|visit|navigate to)\s+(\S+)$/i;
const ADDRESS = /^(?:https?:\/\/|\$\{[a-zA-Z_]\w*\})\S*$/i;
const WAIT = /^wait\s+(?:until|for)\s+(?:"[^"]+"|“[^”]+”)(?:\s+(?:is|to be)\s+shown|\s+to appear)?$/i;
const EXPECT = /^(?:expect|see)\s+\S/i;
/** What would begin another sentence, or make one depend on something. */
const MORE =
  /[,;\n]|\.\s|\b(?:then|and|or|if|unless|until|when|click|press|tap|type|enter|fill|choose|select|tick|save)\b/i;
const NEGATED = /\b(?:no|not|never|without|none|gone|absent|missing|hidden|disappears?|disappeared)\b|n['’]t\b/i;

/** Refuses a line that is more than looking, so that a check can do no harm; `path` is that of the check in its request. */
export function checkIssues(
  path: string,
  check: Check,
  { variables = {}, secrets = {} }: { variables?: Record<string, unknown> | undefined; secrets?: object | undefined },
): Issue[] {
  const lines = linesOf(check);
  return lines.flatMap((line, index) => {
    const isLast = index === lines.length - 1;
    const message =
      (index === 0 ? firstProblem(line) : undefined) ??
      lineProblem(line) ??
      (isLast ? lastProblem(line) : undefined) ??
      valueProblem(line, variables, secrets);
    const at = Array.isArray(check) ? `${path}[${index}]` : `${path}.steps[${index}]`;
    return message === undefined ? [] : [{ path: at, message }];
  });
}

const ALLOWED =
  'a check only opens addresses ("Open https://…"), waits ("Wait until \\"…\\" is shown") and expects ("Expect \\"…\\"")';

function firstProblem(line: string): string | undefined {
  return OPEN.test(line) ? undefined : 'a check begins on an empty tab: its first line opens an address';
}

function lineProblem(line: string): string | undefined {
  const address = OPEN.exec(line)?.[1];
  if (address !== undefined) return ADDRESS.test(address) ? undefined : `${ALLOWED}; “${address}” is no address`;
  if (WAIT.test(line)) return undefined;
  if (!EXPECT.test(line)) return `${ALLOWED}; it does nothing else, and this line would`;
  const words = line.replace(QUOTED, ' ');
  return MORE.test(words) ? `${ALLOWED}, one in each line; put the texts of the page into quotes` : undefined;
}

function lastProblem(line: string): string | undefined {
  if (!EXPECT.test(line)) return 'the last line of a check expects what the page shows when it has happened';
  if ((line.match(QUOTED) ?? []).every((text) => text.length < 3))
    return 'the last line of a check has the text in quotes that the page shows when it has happened';
  return NEGATED.test(line.replace(QUOTED, ' '))
    ? 'the last line of a check expects what is there when it has happened: a page that shows nothing would prove what is not there'
    : undefined;
}

function valueProblem(line: string, variables: Record<string, unknown>, secrets: object): string | undefined {
  for (const name of namesIn(line)) {
    const value = variables[name];
    if (name in secrets) return `${name} is a secret, which no page is searched for`;
    if (typeof value === 'object' && !OPEN.test(line))
      return `the value of ${name} is kept to the workers, and what was seen is shown to people`;
    if (typeof value === 'string' && value.trim() === '')
      return `the variable ${name} is empty, so the check would hold for anything`;
  }
  return undefined;
}
