import { parsePlace, type Description, type Place } from './description';
import type { Intent } from './intent';
import { restore, type Spans } from './protected-text';

const PREPOSITION = /^(in|inside|within|on|under|underneath|below|for|at|from|next to|beside|near)\s+(?=\S)/i;
const EVERYWHERE = /^(?:the|this)\s+(?:current\s+)?(?:page|screen|site|website|app|view|form)$/i;
/** A verb after one of these is part of a name: "in the search field". */
const NOT_BEFORE_VERB = /(?:^|\s)(?:the|a|an|my|your|this|in|on|of|for|to|and|or|with)$/i;

/** A place at the beginning of a clause, with the rest. */
export interface LeadingPlace {
  preposition: string;
  words: string;
  rest: string;
}

/** Splits `in the "Basic" card click Choose`; undefined where no action follows a place. */
export function leadingPlace(clause: string, starts: (text: string) => boolean): LeadingPlace | undefined {
  const preposition = PREPOSITION.exec(clause)?.[1];
  if (preposition === undefined) return undefined;
  const after = clause.slice(preposition.length).trim();
  const commas = [...after.matchAll(/\s*[,:]\s+/g)].map((match) => ({ at: match.index, length: match[0].length }));
  const spaces = [...after.matchAll(/\s+/g)].map((match) => ({ at: match.index, length: match[0].length }));
  for (const { at, length } of [...commas, ...spaces]) {
    const words = after.slice(0, at);
    const rest = after.slice(at + length).replace(/^(?:please|then|and|now)\s+/i, '');
    if (starts(rest) && !NOT_BEFORE_VERB.test(words)) return { preposition, words, rest };
  }
  return undefined;
}

/** Whether a piece is only a place, which belongs to what follows. */
export function isPlaceAlone(piece: string): boolean {
  return PREPOSITION.test(piece);
}

/** Puts the targets of an intent into a place; undefined where the intent has no place. */
export function inPlace(intent: Intent, { preposition, words }: LeadingPlace, spans: Spans): Intent | undefined {
  if (EVERYWHERE.test(words)) return intent;
  const place = parsePlace(preposition, words, spans);
  if (place === undefined) return undefined;
  return intent.kind === 'expect-count' ? countedIn(intent, place, restore(words, spans)) : placed(intent, place);
}

/** The same place for a later action of the sentence, unless nothing of it is there. */
export function inSamePlace(intent: Intent, { preposition, words }: LeadingPlace, spans: Spans): Intent {
  const place = EVERYWHERE.test(words) ? undefined : parsePlace(preposition, words, spans);
  if (place && intent.kind === 'expect-count') return countedIn(intent, place, restore(words, spans));
  return (place && placed(intent, { ...place, isSoft: true })) ?? intent;
}

/** What is counted is found by the words of its place. */
function countedIn(intent: Intent & { kind: 'expect-count' }, place: Place, words: string): Intent {
  const { otherwise } = intent;
  return { ...intent, place: intent.place ?? words, otherwise: placed(otherwise, place) ?? otherwise };
}

function placed(intent: Intent, place: Place): Intent | undefined {
  const put = (target: Description): Description =>
    target.place === undefined && !target.readings.every(({ isPrevious }) => isPrevious)
      ? { ...target, place }
      : target;
  const itself: Description = { said: 'it', isQuoted: false, readings: place.landmark };
  switch (intent.kind) {
    case 'click':
    case 'point':
    case 'drag':
    case 'menu':
    case 'drop-files':
    case 'check':
    case 'set':
    case 'save':
    case 'expand':
    case 'expect-element':
      return {
        ...intent,
        target: put(intent.target),
        ...('parts' in intent && intent.parts && { parts: intent.parts.map(put) }),
      } as Intent;
    case 'type':
    case 'press':
      // "in the search field, press Enter": the place is the target.
      if (intent.target === undefined && intent.kind === 'press' && intent.orClick)
        return { ...intent, orClick: put(intent.orClick) };
      if (intent.target === undefined && place.isSoft === true) return intent;
      return { ...intent, target: intent.target === undefined ? itself : put(intent.target) };
    case 'upload':
    case 'scroll-until':
    case 'search':
      return { ...intent, target: intent.target === undefined ? itself : put(intent.target) };
    case 'choose':
      return {
        ...intent,
        alternatives: intent.alternatives.map(({ option, group }) => ({ option, group: put(group) })),
        whole: put(intent.whole),
        ...(intent.parts && { parts: intent.parts.map((part) => placed(part, place) as typeof part) }),
      };
    case 'choose-nothing':
      return { ...intent, target: intent.target ?? itself };
    case 'reveal':
    case 'words':
      return intent;
    case 'either':
      return { ...intent, intents: intent.intents.map((each) => placed(each, place) ?? each) };
    case 'expect':
      if (intent.text === undefined || place.isSoft === true) return place.isSoft === true ? intent : undefined;
      return {
        kind: 'expect-element',
        target: put({ said: intent.text, isQuoted: true, readings: [{ name: intent.text }] }),
        ...(intent.absent && { absent: intent.absent }),
      };
    default:
      return place.isSoft === true ? intent : undefined;
  }
}
