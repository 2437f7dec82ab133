import { leadingPlace, type LeadingPlace } from './places';

/** A clause taken apart: what it does, and where, whether, how often and until when. */
export interface ClauseParts {
  core: string;
  place?: LeadingPlace;
  /** The words after "if", or before which "unless" stood. */
  condition?: { words: string; isNegated: boolean; isLeading: boolean };
  /** The words after "when": awaited first. */
  awaited?: string;
  until?: string;
  /** How often it is repeated at most, where the words say it. */
  most?: number;
  times: number;
}

const IF = /^(if|in case|unless|when|once|after|as soon as)\s+(?=\S)/i;
const TRAILING_IF = /^(.+?),?\s+(if|unless|in case)\s+(.+)$/i;
const UNTIL = /^(?:(?:repeat|keep|continue)\s+)?(.+?),?\s+(?:until|till)\s+(.+)$/i;
const REPEAT = /^(?:repeat|keep(?:\s+on)?|continue)\s+(?:to\s+)?/i;
const GERUNDS: Record<string, string> = {
  clicking: 'click',
  pressing: 'press',
  tapping: 'tap',
  scrolling: 'scroll',
  hitting: 'press',
  choosing: 'choose',
};
const NUMBERS: Record<string, number> = {
  once: 1,
  twice: 2,
  thrice: 3,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
};
const COUNT = '\\d{1,2}|two|three|four|five|six|seven|eight|nine|ten';
const TIMES = new RegExp(`^(.+?)\\s+(?:(once|twice|thrice)|(?:for\\s+)?(${COUNT})\\s+times)$`, 'i');
/** “tap + twice on tank T3” */
const CLICKED_TIMES = new RegExp(
  `^((?:click|tap|press|hit)\\s.+?)\\s+(?:(once|twice|thrice)|(${COUNT})\\s+times)(\\s+(?:on|in|at|of|for|by|beside|next to)\\s.+)$`,
  'i',
);
/** Beside "until", before or after it. */
const AT_MOST = new RegExp(`,?\\s+(?:but\\s+)?(?:at most|no more than|up to)\\s+(${COUNT})\\s+times\\b,?`, 'i');
const MOST_TIMES = 20;
/** These verbs have an "until" of their own. */
const WAITS = /^(?:wait|pause|scroll)\b/i;

export const isConditionAlone = (piece: string): boolean => IF.test(piece);

/** Takes a clause apart; undefined where a word for a condition stands without what it needs. */
export function takeApart(clause: string, starts: (text: string) => boolean): ClauseParts | undefined {
  const parts: ClauseParts = { core: clause, times: 1 };
  const leading = leadingCondition(clause, starts);
  if (leading === null) return undefined;
  if (leading !== undefined) {
    parts.core = leading.rest;
    if (leading.isAwaited) parts.awaited = leading.words;
    else parts.condition = { words: leading.words, isNegated: leading.isNegated, isLeading: true };
  }
  const [, acted, word, words] = WAITS.test(parts.core) ? [] : (TRAILING_IF.exec(parts.core) ?? []);
  if (acted !== undefined && words !== undefined) {
    if (parts.condition) return undefined;
    parts.core = acted;
    parts.condition = { words, isNegated: /^unless$/i.test(word ?? ''), isLeading: false };
  }
  const [limit, most] = AT_MOST.exec(parts.core) ?? [];
  const unlimited = limit === undefined ? parts.core : parts.core.replace(limit, '');
  const [, repeated, end] = WAITS.test(parts.core) ? [] : (UNTIL.exec(unlimited) ?? []);
  if (repeated !== undefined && end !== undefined) {
    parts.core = repeatedAction(repeated, starts);
    parts.until = end;
    if (most !== undefined) parts.most = toCount(most);
    if (parts.most !== undefined && (parts.most > MOST_TIMES || parts.most < 1)) return undefined;
  } else
    parts.core = parts.core.replace(REPEAT, (said) =>
      /^keep|^continue/i.test(said) && /^\w+ing\b/.test(parts.core.slice(said.length)) ? '' : said,
    );
  const [, once, word2, count, behind = ''] = TIMES.exec(parts.core) ?? CLICKED_TIMES.exec(parts.core) ?? [];
  if (once !== undefined) {
    const times = toCount(word2 ?? count ?? '');
    if (times > MOST_TIMES || times < 1) return undefined;
    parts.core = `${once}${behind}`;
    parts.times = times;
  }
  const place = leadingPlace(parts.core, starts);
  if (place) {
    parts.core = place.rest;
    parts.place = place;
  }
  return parts;
}

function toCount(word: string): number {
  return /^\d+$/.test(word) ? Number(word) : (NUMBERS[word.toLowerCase()] ?? 1);
}

/** "repeat Next", "keep clicking Next": the action that is repeated. */
function repeatedAction(words: string, starts: (text: string) => boolean): string {
  const action = words
    .replace(REPEAT, '')
    .replace(/^(\w+ing)(?=\s)/i, (gerund) => GERUNDS[gerund.toLowerCase()] ?? gerund);
  return starts(action) ? action : `click ${action}`;
}

interface Leading {
  words: string;
  isNegated: boolean;
  isAwaited: boolean;
  rest: string;
}

/** Null where a condition stands alone. */
function leadingCondition(clause: string, starts: (text: string) => boolean): Leading | null | undefined {
  const word = IF.exec(clause)?.[1]?.toLowerCase();
  if (word === undefined) return undefined;
  const after = clause.slice(word.length).trim();
  const gaps = [/\s*,\s+(?:then\s+)?|\s+then\s+/g, /\s+/g].flatMap((gap) => [...after.matchAll(gap)]);
  for (const { index, 0: gap } of gaps) {
    const words = after.slice(0, index);
    const rest = after.slice(index + gap.length);
    if (!starts(rest) && leadingPlace(rest, starts) === undefined) continue;
    const isAwaited = /^(?:when|once|after|as soon as)$/.test(word);
    return { words, rest, isNegated: word === 'unless', isAwaited };
  }
  return null;
}
