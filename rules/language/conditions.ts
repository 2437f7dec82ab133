import { parseDescription } from './description';
import type { Condition } from './intent';
import type { Spans } from './protected-text';
import { elementState } from './verbs/element-states';
import { addressExpected, OPENED, pageShows } from './verbs/expect';

const THERE =
  'shown|visible|displayed|present|there|available|open|on the page|on the screen|on screen|showing|up|found';
const IS = "(?:is|are|'s|’s|becomes?|gets?)";
const SHOWN = new RegExp(
  `^(.+?)\\s+(?:${IS}\\s+(?:now\\s+)?(?:${THERE})|(?:has\\s+)?appear(?:s|ed)?|exists?|shows? up|pops? up|comes? up|(?:can|could) be (?:seen|found))$`,
  'i',
);
const GONE = new RegExp(
  `^(.+?)\\s+(?:${IS}\\s*(?:n['’]t|not|no longer)\\s+(?:${THERE})|${IS}\\s+(?:gone|hidden|missing|absent)|disappears?|vanishes|goes away|does(?:n['’]t| not) (?:appear|exist|show up))$`,
  'i',
);
const THERE_IS =
  /^(?:there\s*(?:is|are|['’]s)|(?:you|we|i)\s+(?:can\s+)?(?:see|find|get)|(?:the\s+)?page\s+has)\s+(no\s+)?(?:still\s+)?(.+?)(?:\s+(?:on the page|on screen|left))?$/i;
/** An invoice that is open has not been paid; a menu that is open is there. */
const OPEN = /\sopen$/i;
const OWN = /^(?:it|that|this|one|there is one|it['’]s|they)$/i;

/** Parses what stands after "if" or "until"; undefined for what can't be seen on a page. */
export function parseCondition(text: string, spans: Spans): Condition | undefined {
  if (/^(?:there (?:is|are) (?:one|any)|it['’]s there|possible|needed|necessary|so)$/i.test(text))
    return ofElement('it', spans, false);
  const address = addressExpected(text, spans);
  if (address?.kind === 'expect') return { kind: 'page', expected: address };
  const shown = pageShows(text, spans);
  if (shown !== undefined) return { kind: 'page', expected: shown };
  const [, no, thing] = THERE_IS.exec(text) ?? [];
  if (thing !== undefined) return ofElement(thing, spans, no !== undefined);
  const gone = GONE.exec(text)?.[1];
  const there = SHOWN.exec(text)?.[1];
  const who = gone ?? there;
  if (who !== undefined && OPEN.test(text) && !OPENED.test(who)) return undefined;
  if (gone !== undefined) return ofElement(gone, spans, true);
  if (there !== undefined) return ofElement(there, spans, false);
  const stated = elementState(text);
  if (stated === undefined) return undefined;
  const own = ofElement(stated.who, spans, false);
  return own && { ...own, state: stated.state };
}

/** Parses what a repetition ends with: a condition, or only a name in quotes. */
export function parseEnd(text: string, spans: Spans): Condition | undefined {
  return (
    parseCondition(text, spans) ?? (/^[\uE000-\uEFFF]$/.test(text.trim()) ? ofElement(text, spans, false) : undefined)
  );
}

function ofElement(said: string, spans: Spans, isAbsent: boolean): (Condition & { kind: 'element' }) | undefined {
  const absent = isAbsent ? { absent: true as const } : {};
  if (OWN.test(said.trim())) return { kind: 'element', ...absent };
  const subject = parseDescription(said, spans);
  const isKnown = subject.readings.length > 0 && subject.readings.every((reading) => !reading.isPrevious);
  return isKnown ? { kind: 'element', subject, ...absent } : undefined;
}
