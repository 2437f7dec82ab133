import type { Issue } from '../errors/issues';
import { shortened } from '../text';
import type { SessionConfig } from './config';
import { namesIn } from './once';
import type { PageWait, PageWaitInput } from './page-wait';
import { DurationSchema, durationMs, durationText } from './schedule-duration';
import type { StepInput } from './step-input';

const DAY_MS = 86_400_000;
const LONGEST_MS = 400 * DAY_MS;

const UNITS = { s: 's', m: 'm', h: 'h', d: 'd', w: 'w' } as const;
const UNIT = '(seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w|fortnights?|months?|years?)(?![a-z])';
const COUNTS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const COUNT = `(-?\\d+(?:[.,]\\d+)?|an?|${COUNTS.join('|')})`;
const EVERY = new RegExp(
  `^(.*?)[\\s,;]+(?:and\\s+)?(?:look(?:ing)?\\s+|check(?:ing)?\\s+)?every\\s+(?:${COUNT}\\s*)?${UNIT}[\\s.]*$`,
  'is',
);
const AT_MOST = new RegExp(
  `^(.*?)[\\s,;]+(?:and\\s+)?(?:for\\s+)?(?:at\\s+most|up\\s+to|no(?:t)?\\s+(?:longer|more)\\s+than|within)\\s+(?:${COUNT}\\s*)?${UNIT}[\\s.]*$`,
  'is',
);
const WAIT = /^\s*(?:please\s+)?(?:then\s+)?wait\s+(?:until|till|for)\s+(.+)$/is;

interface Said {
  /** What is to hold, without how often and how long. */
  condition: string;
  every?: string;
  atMost?: string;
}

/** Reads `Wait until "Shipped" is shown, at most 14 days, every 30 minutes`; undefined where a text waits for nothing. */
function readWords(instruction: string): Said | undefined {
  const [, words] = WAIT.exec(instruction) ?? [];
  if (words === undefined) return undefined;
  const said: Said = { condition: words.trim() };
  for (;;) {
    const every = said.every === undefined ? EVERY.exec(said.condition) : null;
    const atMost = every === null && said.atMost === undefined ? AT_MOST.exec(said.condition) : null;
    const [, rest, count, unit] = every ?? atMost ?? [];
    if (rest === undefined || unit === undefined) return said;
    said[every === null ? 'atMost' : 'every'] = duration(count, unit);
    said.condition = rest.trim();
  }
}

/** As a step's options write it; what can't be written so stays as it was said, which its schema refuses. */
function duration(count = '1', unit: string): string {
  const number = /^an?$/i.test(count) ? '1' : String(COUNTS.indexOf(count.toLowerCase()) + 1 || count);
  const first = unit[0]!.toLowerCase();
  if (!(first in UNITS) || /^mo/i.test(unit)) return `${number} ${unit}`;
  return first === 'w' && /^\d+$/.test(number) ? `${Number(number) * 7}d` : `${number}${first}`;
}

interface Given extends Partial<PageWaitInput> {
  condition: string;
  /** Its words say how often, too. */
  isInWords: boolean;
}

/** The wait that a step asks for, in its words or in its options. */
function givenWait(input: StepInput): Given | undefined {
  if (typeof input !== 'string' && !('instruction' in input)) return undefined;
  const { instruction, wait } = typeof input === 'string' ? { instruction: input, wait: undefined } : input;
  const { condition = instruction, every, atMost } = readWords(instruction) ?? {};
  if (wait === undefined && every === undefined) return undefined;
  const said = { ...(every === undefined ? {} : { every }), ...(atMost === undefined ? {} : { atMost }) };
  return { condition, isInWords: every !== undefined, ...said, ...wait };
}

/** The wait of a valid step, with its times in milliseconds. */
export function pageWaitOf(input: StepInput): PageWait | undefined {
  const { every, atMost } = givenWait(input) ?? {};
  if (every === undefined || atMost === undefined) return undefined;
  return { everyMs: durationMs(every), atMostMs: durationMs(atMost) };
}

/** The option that a wait was planned from; none where the words of the step say it. */
export function pageWaitInput(instruction: string, { everyMs, atMostMs }: PageWait): { wait?: PageWaitInput } {
  if (readWords(instruction)?.every !== undefined) return {};
  return { wait: { every: durationText(everyMs), atMost: durationText(atMostMs) } };
}

/** What a wait waits for: the words of its step without “wait until”, how often and how long. */
export function conditionOf(instruction: string): { condition: string; isOfWait: boolean } {
  const said = readWords(instruction);
  return { condition: said?.condition ?? instruction.trim(), isOfWait: said !== undefined };
}

const EXAMPLE = 'as in “Wait until "Shipped" is shown, at most 14 days, every 30 minutes”';

/** What is wrong with the waits of a request, and where. */
export function pageWaitIssues(
  steps: readonly StepInput[],
  { agent }: Pick<SessionConfig, 'agent'>,
  { secrets = {} }: { secrets?: object | undefined } = {},
): Issue[] {
  return steps.flatMap((step, index) => {
    const wait = givenWait(step);
    if (wait === undefined) return [];
    const path = `steps[${index}]${wait.isInWords ? '' : '.wait'}`;
    const message =
      timesProblem(wait) ??
      (typeof step === 'object' && wait.isInWords && 'wait' in step && step.wait !== undefined
        ? 'the words of the step say how often it looks, and so does “wait”: leave one of them out'
        : undefined) ??
      (typeof step === 'object' && (('once' in step && step.once) || ('check' in step && step.check))
        ? 'a wait only looks, so there is nothing in it that “once” or “check” could be about'
        : undefined) ??
      (agent.executor === 'playwright'
        ? undefined
        : 'only a browser of the engine can be given back and looked at again; leave agent.executor out') ??
      secretProblem(wait.condition, secrets);
    return message === undefined ? [] : [{ path, message }];
  });
}

function timesProblem({ every, atMost }: Given): string | undefined {
  if (every === undefined) return undefined;
  if (atMost === undefined) return `a wait that looks every ${every} says how long at most, ${EXAMPLE}`;
  for (const [what, text] of [
    ['how often it looks', every],
    ['how long at most', atMost],
  ] as const)
    if (!DurationSchema.safeParse(text).success)
      return `expected ${what} as a whole number of seconds, minutes, hours or days above 0, ${EXAMPLE}; got “${shortened(text, 40)}”`;
  if (durationMs(atMost) > LONGEST_MS) return `a wait takes at most 400 days, got ${atMost}`;
  if (durationMs(atMost) < durationMs(every))
    return `a wait of at most ${atMost} is over before it looks a second time, as it looks every ${every}`;
  return undefined;
}

function secretProblem(condition: string, secrets: object): string | undefined {
  const name = namesIn(condition).find((each) => each in secrets);
  return name === undefined ? undefined : `${name} is a secret, which no page is searched for`;
}
