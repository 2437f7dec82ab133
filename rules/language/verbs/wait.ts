import type { VerbGroup } from '../verb-group';
import { textMeant } from '../description';
import { addressExpected } from './expect';
import type { Intent } from '../intent';
import type { Spans } from '../protected-text';

const NUMBER = '\\d+(?:\\.\\d+)?|an?|one|two|three|four|five|ten|half a';
const DURATION = `(${NUMBER})\\s*(milliseconds?|ms|seconds?|secs?|s|minutes?|min)`;
const PAUSE = new RegExp(`^(?:wait|pause|sleep)(?:\\s+for)?\\s+${DURATION}$`, 'i');
const LIMIT_BEHIND = new RegExp(`,?\\s+(?:(?:for\\s+)?(?:up to|at most|max(?:imum)?)|within|for)\\s+${DURATION}$`, 'i');
const LIMIT_BEFORE = new RegExp(`^wait\\s+(?:for\\s+)?(?:up to|at most)\\s+${DURATION}\\s+`, 'i');
const LOADED =
  /^(?:the\s+)?(?:page|site)(?:\s+(?:to|is|has|finishes))?(?:\s+(?:be|finish|fully))*\s*(?:load|loads|loaded|loading|ready)?$/i;
const MOMENT = /^(?:an?\s+)?(?:moment|bit|little|while|little while)$/i;
const UNTIL = /^wait\s+(?:(?:until|till|for)\s+)?(.+)$/i;
const GONE =
  /\s+(?:to\s+|is\s+|are\s+|has\s+|have\s+)?(?:disappears?|disappeared|vanish(?:es)?|be gone|gone|go away|goes away|be hidden|hidden|no longer (?:visible|there|shown)|not (?:visible|there|shown))$/i;
const THERE =
  /\s+(?:(?:to\s+)?(?:appears?|show(?:s)?(?: up)?|come(?:s)? up)|(?:to be|is|are)\s+(?:visible|shown|displayed|there|present|on the page|ready|loaded)|has appeared)$/i;
const SHOWS = /^(?:the\s+)?(?:page|screen)\s+(?:shows?|contains?|displays?|says?)\s+(.+)$/i;
const SEEN = /^(?:you|i|we)\s+(?:can\s+)?see\s+(.+)$/i;

const WORDS: Record<string, number> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  ten: 10,
  'half a': 0.5,
};
const LONGEST_SECONDS = 60;

/** Parses "wait for X", "wait until X disappears" and "wait 2 seconds". */
export const wait: VerbGroup = {
  starts: /^(?:wait|pause|sleep)\s+\S/i,
  parse(text, spans) {
    const [, amount, unit] = PAUSE.exec(text) ?? [];
    if (amount !== undefined && unit !== undefined) return { kind: 'wait', seconds: secondsOf(amount, unit) };
    const limit = LIMIT_BEFORE.exec(text) ?? LIMIT_BEHIND.exec(text);
    const seconds = limit?.[1] && limit[2] ? secondsOf(limit[1], limit[2]) : undefined;
    const rest = text.replace(LIMIT_BEFORE, 'wait ').replace(LIMIT_BEHIND, '');
    const what = UNTIL.exec(rest)?.[1];
    if (what === undefined) return undefined;
    const arrival = addressExpected(what, spans);
    if (arrival) return arrival;
    if (MOMENT.test(what)) return { kind: 'wait', seconds: 1 };
    if (LOADED.test(what)) return { kind: 'wait', seconds: seconds ?? 1 };
    const awaited = waitedFor(what, spans);
    return awaited && { ...awaited, ...(seconds !== undefined && { seconds }) };
  },
};

function waitedFor(what: string, spans: Spans): (Intent & { kind: 'wait' }) | undefined {
  const isGone = GONE.test(what);
  const named = what.replace(isGone ? GONE : THERE, '');
  const text = textMeant(SHOWS.exec(named)?.[1] ?? SEEN.exec(named)?.[1] ?? named, spans);
  return text === undefined ? undefined : { kind: 'wait', text, ...(isGone && { hidden: true as const }) };
}

function secondsOf(amount: string, unit: string): number {
  const count = WORDS[amount.toLowerCase()] ?? Number(amount);
  const seconds = /^m(?:s|illi)/i.test(unit) ? count / 1000 : /^m/i.test(unit) ? count * 60 : count;
  return Math.min(seconds, LONGEST_SECONDS);
}
