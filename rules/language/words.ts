import { isQuoted, protectQuotes } from './protected-text';
import { ordinalOf } from './description';
import { EMPTY } from './empty-words';
import { remembered } from './remembered';
import { plainWord, stemOf } from './stems';

/** One word of a step that carries meaning, or a whole quoted text. */
export interface Word {
  said: string;
  stem: string;
  isQuoted?: true;
  /** From 1; -1 is the last. */
  ordinal?: number;
  /** Stems of the names that a control for this verb may have. */
  verb?: ReadonlySet<string>;
  /** Other stems that mean the same on a page. */
  also?: readonly string[];
  /** Of a code such as A-100: its parts, for a page that writes them apart. */
  parts?: readonly string[];
  /** A part of a code such as A-100, which alone names nothing. */
  isOfCode?: true;
  /** Says the kind of the quoted name behind it. */
  isApposition?: true;
  /** “by card”: how it is to be done, which no kind of thing says. */
  isMeans?: true;
  /** Stands behind an ordinal, which counts such things. */
  isCounted?: true;
  /** The form in which it is written, where the page has others of its stem: “Brook” beside “Brooks”. */
  literal?: string;
  /** Nothing but its literal form will do. */
  isName?: true;
  /** Said before, as what “it” may be: it helps to choose, and need not be accounted for. */
  isSoft?: true;
}

/** Of these what is a name where it is written as one: “Will Smith”, “May”, “IT”, “Plan A”. */
const PROPER = new Set('will may can just well so do an kind little still straight'.split(' '));
const CODES = /^(?:IT|US|ME|HI|IN|OK)$/;
const LETTER = /^[a-z]$/i;
const BEHIND_LETTER = /^(?:in|on|at|of|from|for|to|and|or|as|with)$/i;

/** “Jane A. Smith” */
const isInitial = (parts: readonly string[], at: number): boolean =>
  at > 1 && [parts[at - 1]!, parts[at]!, parts[at + 1] ?? ''].every((part) => /^\p{Lu}/u.test(part));

function isName(parts: readonly string[], at: number): boolean {
  const [part = '', next] = [parts[at], parts[at + 1]];
  if (at === 0) return false;
  if (LETTER.test(part))
    return part !== 'I' && (next === undefined || BEHIND_LETTER.test(next) || isInitial(parts, at));
  if (CODES.test(part)) return parts.some((each) => /[a-z]/.test(each));
  return /^[A-Z][a-z]+$/.test(part) && PROPER.has(part.toLowerCase());
}

/** “Delete the rule Mail in”: nothing follows that it would be the preposition of. */
const endsName = (parts: readonly string[], at: number): boolean =>
  at === parts.length - 1 &&
  at > 1 &&
  /^(?:in|out|on|off|up|down|over|to|from|by)$/i.test(parts[at]!) &&
  /^\p{Lu}\p{Ll}/u.test(parts[at - 1]!) &&
  DESTRUCTIVE.has(parts[0]!.toLowerCase());

/** Verbs that any control may be used by, so that its name need not say them. */
export const POINTING = new Set(
  'click press tap hit push follow activate use choose select pick trigger open go visit show view see display find'.split(
    ' ',
  ),
);

/** Of these a control of that name is meant before others. */
const OPENING = new Set('open show view visit select choose pick follow use'.split(' '));

/** What may follow a verb and give it another meaning: “add” and “add up” are two deeds. */
const PARTICLE = /^(?:up|off|out|back|away|down)$/;
/** Pairs of which the second says nothing that the verb does not say. */
const SAYS_NO_MORE = new Set(
  (
    'check+off tick+off cross+off mark+off mark+down close+off close+up close+out fill+out fill+up empty+out clear+out clear+off clear+up ' +
    'clear+away save+off note+down write+down write+up type+out print+out print+off send+off send+out send+back sort+out start+up start+off ' +
    'finish+off finish+up end+off ship+out ship+off rent+out pay+off pay+back put+up put+down put+back lock+up lock+down give+back take+out ' +
    'take+off take+away take+down bring+back bring+up bring+down pull+up fold+up fold+out lower+down raise+up move+back move+up move+down ' +
    'hand+back hand+out stop+off wipe+out expand+out report+back copy+out crop+out filter+out settle+up'
  ).split(' '),
);

function isParticle(parts: readonly string[], at: number): boolean {
  const word = parts[at]!.toLowerCase();
  if (!PARTICLE.test(word)) return false;
  const isBehindVerb = at === 1 || (at === 2 && /^(?:it|them|this|that|one)$/i.test(parts[1]!));
  const verb = parts[0]!.toLowerCase();
  return isBehindVerb && !POINTING.has(verb) && !DESTRUCTIVE.has(verb) && !SAYS_NO_MORE.has(`${verb}+${word}`);
}

/** Verbs of one meaning, and the signs for it. */
const ALIKE = [
  'delete remove trash bin discard erase drop scrap kick throw del rubbish × ✕ 🗑',
  'edit change modify amend update alter pencil ✎ ✏ rename',
  'open show view see details detail display look inspect',
  'close dismiss hide x × ✕ got',
  'cancel abort',
  'send submit email mail',
  'save store apply',
  'approve accept confirm agree allow ok yes got',
  'reject decline deny refuse',
  'add new create plus + insert',
  'buy purchase order checkout place',
  'login log sign signin',
  'logout signout',
  'duplicate copy clone',
  'restore undo revert',
  'continue proceed next forward',
  'previous back earlier',
  'search find look 🔍',
  'reply answer respond ↩',
  'star favorite favourite fav ★ ☆',
  'refresh reload ↻',
  'upload attach',
  'play start run ▶',
  'stop halt',
  'complete finish done',
  'more expand unfold',
  'settings preferences gear ⚙',
  'ship dispatch',
  'use take',
  'like ♥ heart',
].map((words) => words.split(' '));

/** Verbs that take something away for good, or pay and send. */
export const DESTRUCTIVE = new Set('delete remove trash bin discard erase drop scrap kick throw del'.split(' '));

const WORD = "[\\p{L}\\p{N}]+(?:['’]\\p{L}+)?|[×✕✖🗑✎✏+−★☆↻▶♥⚙🔍↩⋮⋯☰]|(?<!\\S)\\?(?!\\S)";

/** “A-100”, “INV-2024-031”: one thing, of which no part says which. */
const CODE = /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}_-]*\p{N})(?=[\p{L}\p{N}_-]*\p{L})[\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)+/gu;
const joined = (code: string): string => code.replaceAll(/[-_]/g, '').toLowerCase();

/** All words of a text of the page, by their stems. */
export const stemsIn: (text: string) => readonly string[] = remembered(stemsOf);

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
/** A date as pages write it, with the words for it. */
const DATE = /\b\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])\b/g;

/** All words of a text of the page, as they are written but for their case: one is not several. */
export const literalsIn: (text: string) => readonly string[] = remembered((text) => tokensIn(text).map(literalOf));

const literalOf = (word: string): string => signOf(word) ?? plainWord(word);

function stemsOf(text: string): string[] {
  return tokensIn(text).map(signOrStem);
}

function tokensIn(plain: string): string[] {
  const text = plain.replace(
    DATE,
    (date, month: string, day: string) => `${date} ${MONTHS[Number(month) - 1]!} ${Number(day)}`,
  );
  const whole = text.replace(CODE, (code) => `${code} ${joined(code)}`);
  return whole.match(new RegExp(WORD, 'gu')) ?? [];
}

/** Signs that people write and pages show in several ways. */
const SIGNS: Record<string, string> = { '×': 'x', '✕': 'x', '✖': 'x', '−': '-' };
const signOf = (word: string): string | undefined => (Object.hasOwn(SIGNS, word) ? SIGNS[word] : undefined);
const signOrStem = (word: string): string => signOf(word) ?? stemOf(word);

/** Words for signs. */
const SAID_SIGNS: Record<string, string> = {
  plus: '+',
  cross: 'x',
  star: '★',
  heart: '♥',
  gear: '⚙',
  hamburger: '☰',
  bin: '🗑',
  dot: '⋮',
  pencil: '✎',
};

export function signFor(stem: string): string | undefined {
  return Object.hasOwn(SAID_SIGNS, stem) ? SAID_SIGNS[stem] : undefined;
}

/** The names that controls for a verb may have; only itself where it stands alone. */
export function namesFor(verb: string): ReadonlySet<string> {
  const stem = stemOf(verb);
  return new Set([
    stem,
    ...ALIKE.filter((words) => words.some((word) => stemOf(word) === stem))
      .flat()
      .map(stemOf),
  ]);
}

export function isVerb(word: string): boolean {
  const isKnown = (each: string): boolean =>
    POINTING.has(each) || ALIKE.some((words) => words.includes(each)) || OTHER_VERBS.has(each);
  return isKnown(word) || (/^un[a-z]{4,}$/.test(word) && isKnown(word.slice(2)));
}

const OTHER_VERBS = new Set(
  (
    'archive download export import print pay mark assign move block mute pin rate vote share invite join leave subscribe unsubscribe ' +
    'register publish post comment merge split reset clear skip retry schedule reschedule escalate snooze flag unflag report like unlike ' +
    'ban promote demote resend remind reopen resolve hold release lock unlock enable disable reserve book rent ship return refund charge ' +
    'sort filter expand collapse minimize maximize zoom toggle switch check uncheck tick untick pause resume follow unfollow unmute unpin ' +
    'unblock forward draft quote record revoke withdraw deactivate reactivate resubscribe impersonate transfer raise lower increase ' +
    'decrease reduce empty fill type enter write put input set make give take bring turn drag drop hover scroll jump replace rearrange ' +
    'reorder order request apply redeem use cast call ask note keep save store remember read describe say fetch issue end begin ' +
    'tag label untag attach detach insert paste fold unfold pull throw chuck dump void settle withhold cancel extend renew prolong shorten ' +
    'let suspend unsuspend deliver plan restart reassign freeze unfreeze reactivate terminate postpone confirm verify test run sync connect disconnect link unlink group ungroup swap rotate crop play stop log sign'
  ).split(' '),
);

/** "sign in" is no button that signs out. */
const SIGNING: Partial<Record<string, string>> = {
  in: 'login signin on',
  on: 'login signin in',
  up: 'signup register join',
  out: 'logout signout logoff off',
  off: 'logout signout logoff out',
};
const ENTRIES =
  'row|line|entry|item|record|card|person|user|customer|member|account|order|invoice|ticket|task|todo|product|project|comment|article|post|booking|guest|contact|employee';
const ENTRY_NOUN = new RegExp(`^(?:${ENTRIES})$`, 'i');
const BESIDE_ENTRY = new RegExp(`\\b(${ENTRIES})\\s+(?:(?:right|just|directly)\\s+)?(?:next|close) to\\b`, 'gi');

const HOW_MANY = /^(?:one|two|three|four|five|six|some|any|few|a|no|once|\d+)$/i;
/** What follows is a name, whatever it is made of: “a folder called invoices”. */
const CALLED = /^(?:called|named|titled|entitled)$/i;
const RENAMES = /^(?:rename|relabel|retitle)$/i;

/** The words of a step that have to be accounted for; `verbs` says that its first word is one. */
export function wordsOf(text: string, verbs = true): Word[] {
  const { text: given, spans } = protectQuotes(
    text.replace(BESIDE_ENTRY, '$1 beside').replace(/\b(?:next|close|near) to\b/gi, ' '),
  );
  const parts = given.match(new RegExp(`[\\uE000-\\uF8FF]|${CODE.source}|${WORD}`, 'gu')) ?? [];
  let mayBeVerb = verbs;
  const newNameAt = RENAMES.test(parts[0] ?? '')
    ? parts.findLastIndex((part) => /^to$/i.test(part))
    : parts.findIndex((part) => CALLED.test(part));
  const isAgain = /\bagain\b/i.test(given);
  const words = parts.flatMap((part, at): Word[] => {
    if (isQuoted(part) || spans.has(part)) {
      const said = spans.get(part)?.inner ?? part;
      return [{ said, stem: said, isQuoted: true }];
    }
    const lower = part.toLowerCase();
    if (/[-_]/.test(part.slice(1))) {
      mayBeVerb = false;
      return [{ said: part, stem: joined(part), parts: lower.split(/[-_]/) }];
    }
    const ordinal = ordinalOf(lower);
    if (ordinal !== undefined) return [{ said: part, stem: stemOf(part), ordinal }];
    if (mayBeVerb && lower === 'like') {
      mayBeVerb = false;
      return [{ said: part, stem: lower, verb: namesFor(lower) }];
    }
    const way = at > 0 && /^(?:sign|log)$/i.test(parts[at - 1]!) ? SIGNING[lower] : undefined;
    if (way !== undefined) return [{ said: part, stem: lower, also: way.split(' ') }];
    // “No. 5” is a number, and “no order” is none.
    if (lower === 'no')
      return [/^\d/.test(parts[at + 1] ?? '') ? { said: part, stem: 'number' } : { said: part, stem: lower }];
    // What stands in the entry beside this one is in another, and “beside” is no word of either.
    if (lower === 'beside' && ENTRY_NOUN.test(parts[at - 1] ?? '')) return [{ said: part, stem: lower }];
    // “one more serving” is no button that shows more.
    if (lower === 'more' && HOW_MANY.test(parts[at - 1] ?? '')) return [{ said: part, stem: 'additional' }];
    // “one week back” is another week; “give it back” says no more than “give it”.
    const isBack = lower === 'back' && !SAYS_NO_MORE.has(`${parts[0]!.toLowerCase()}+back`);
    const isKept = isBack || isParticle(parts, at) || isName(parts, at) || endsName(parts, at);
    if (EMPTY.has(lower.replace(/['’]\w+$/, '')) && !isKept) return [];
    const isFirst = mayBeVerb;
    mayBeVerb = false;
    const stem = signOrStem(part);
    // “take it off again” takes nothing, and removes it.
    if (isFirst && lower === 'take' && parts.slice(at + 1, at + 4).some((each) => /^(?:off|away)$/i.test(each)))
      return [{ said: part, stem: 'remove', verb: namesFor('remove') }];
    if (isFirst && isVerb(lower)) {
      // “send again” is what a page calls Resend.
      const again = isAgain ? [`re${stem}`] : [];
      if (!POINTING.has(lower)) return [{ said: part, stem, verb: new Set([...namesFor(lower), ...again]) }];
      return OPENING.has(lower) ? [{ said: part, stem, verb: namesFor(lower), isSoft: true }] : [];
    }
    const behind = /^(?:is|are)$/i.test(parts[at + 1] ?? '') ? parts[at + 2] : parts[at + 1];
    const isApposition = behind !== undefined && (isQuoted(behind) || spans.has(behind));
    // “rename it to “Draft””: the new name is no kind of thing.
    const isMeans = /^by$/i.test(parts[at - 1] ?? '') || (newNameAt > 0 && at > newNameAt);
    return [{ said: part, stem, ...(isApposition && { isApposition }), ...(isMeans && { isMeans }) }];
  });
  // "click Next", "press OK": here the words are the name.
  return words.some(({ isSoft }) => isSoft !== true)
    ? words
    : parts.slice(1).map((part) => ({ said: part, stem: stemOf(part) }));
}
