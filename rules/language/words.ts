import { isQuoted, protectQuotes } from './protected-text';
import { ordinalOf } from './description';

/** One word of a step that carries meaning, or a whole quoted text. */
export interface Word {
  said: string;
  stem: string;
  isQuoted?: true;
  /** From 1; -1 is the last. */
  ordinal?: number;
  /** Stems of the names that a control for this verb may have. */
  verb?: ReadonlySet<string>;
}

/** Words that carry no meaning of their own. */
const EMPTY = new Set(
  (
    'a an the this that these those some any of in on at to for from with by and or then as into onto out off up over it its them they there ' +
    'here i we you he she us me my your our his her their is are be was were been am do does did please kindly now just also first again back ' +
    'right away immediately quickly asap again too so which who whose what when where while because since can could would should will shall ' +
    'may might must want wants need needs like have has had go ahead get let lets thanks thank hi hello hey ok okay really actually simply ' +
    'only one ones called named labelled labeled titled saying says about against via using through if case than not re ve ll d s t m same ' +
    'under underneath below beneath beside above inside within near around concerning regarding belonging named marked but given'
  ).split(' '),
);

/** Verbs that any control may be used by, so that its name need not say them. */
export const POINTING = new Set(
  'click press tap hit push follow activate use choose select pick trigger open go visit show view see display find'.split(
    ' ',
  ),
);

/** Verbs of one meaning, and the signs for it. */
const ALIKE = [
  'delete remove trash bin discard erase drop scrap kick throw rubbish × ✕ 🗑',
  'edit change modify amend update alter pencil ✎ ✏ rename',
  'open show view see details detail display look inspect',
  'close dismiss hide x × ✕',
  'cancel abort',
  'send submit email',
  'save store apply',
  'approve accept confirm agree allow ok yes',
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
  'star favorite favourite ★ ☆',
  'refresh reload ↻',
  'upload attach',
  'play start run ▶',
  'stop halt',
  'complete finish done',
  'more expand unfold',
  'settings preferences gear ⚙',
  'ship dispatch',
  'like ♥ heart',
].map((words) => words.split(' '));

/** Verbs that take something away for good, or pay and send. */
export const DESTRUCTIVE = new Set('delete remove trash bin discard erase drop scrap kick throw'.split(' '));

/** The stem of a word, so that one and several are alike. */
export function stemOf(word: string): string {
  const plain = word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s$/u, '');
  if (/\d/.test(plain) || plain.length < 4) return plain;
  return plain
    .replace(/ies$/, 'y')
    .replace(/(x|ss|sh|ch)es$/, '$1')
    .replace(/(?<![su])s$/, '')
    .replace(/our(?=$|s$)/, 'or');
}

const WORD = "[\\p{L}\\p{N}]+(?:['’]\\p{L}+)?|[×✕✖🗑✎✏+−★☆↻▶♥⚙🔍↩⋮⋯☰]";

/** All words of a text of the page, by their stems. */
export function stemsIn(text: string): string[] {
  return (text.match(new RegExp(WORD, 'gu')) ?? []).map((word) => SIGNS[word] ?? stemOf(word));
}

/** Signs that people write and pages show in several ways. */
const SIGNS: Record<string, string> = { '×': 'x', '✕': 'x', '✖': 'x', '−': '-' };
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
  return POINTING.has(word) || ALIKE.some((words) => words.includes(word)) || OTHER_VERBS.has(word);
}

const OTHER_VERBS = new Set(
  (
    'archive download export import print pay mark assign move block mute pin rate vote share invite join leave subscribe unsubscribe ' +
    'register publish post comment merge split print reset clear skip retry rename schedule reschedule escalate snooze flag unflag report ' +
    'ban promote demote resend remind reopen resolve hold release lock unlock enable disable reserve book rent ship return refund charge ' +
    'sort filter expand collapse minimize maximize zoom toggle switch'
  ).split(' '),
);

/** The words of a step that have to be accounted for; `verbs` says that its first word is one. */
export function wordsOf(text: string, verbs = true): Word[] {
  const { text: given, spans } = protectQuotes(text.replace(/\b(?:next|close|near) to\b/gi, ' '));
  const parts = given.match(new RegExp(`[\\uE000-\\uF8FF]|${WORD}`, 'gu')) ?? [];
  let mayBeVerb = verbs;
  const words = parts.flatMap((part): Word[] => {
    if (isQuoted(part) || spans.has(part)) {
      const said = spans.get(part)?.inner ?? part;
      return [{ said, stem: said, isQuoted: true }];
    }
    const lower = part.toLowerCase();
    const ordinal = ordinalOf(lower);
    if (ordinal !== undefined) return [{ said: part, stem: stemOf(part), ordinal }];
    if (mayBeVerb && lower === 'like') {
      mayBeVerb = false;
      return [{ said: part, stem: lower, verb: namesFor(lower) }];
    }
    if (EMPTY.has(lower.replace(/['’]\w+$/, ''))) return [];
    const isFirst = mayBeVerb;
    mayBeVerb = false;
    const stem = SIGNS[part] ?? stemOf(part);
    if (isFirst && isVerb(lower)) return POINTING.has(lower) ? [] : [{ said: part, stem, verb: namesFor(lower) }];
    return [{ said: part, stem }];
  });
  // "click Next", "press OK": here the words are the name.
  return words.length > 0 ? words : parts.slice(1).map((part) => ({ said: part, stem: stemOf(part) }));
}
