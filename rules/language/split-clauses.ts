import { isReason, trim } from './fillers';

/** The grammar, as the splitter needs it to distinguish "and" between actions from "and" within a name. */
export interface ClauseBounds {
  /** Whether this text begins an action. */
  starts(text: string): boolean;
  /** Whether this text belongs to the action after it: a place, or a condition. */
  leads(text: string): boolean;
  /** Whether this text belongs to the action before it: a condition. */
  trails(text: string): boolean;
  /** The full clause of a `piece` that omits the verb of the clause before it; `isNext` behind "then". */
  continues(previous: string, piece: string, isNext: boolean): string | undefined;
}

export interface Clause {
  text: string;
  /** Joined with the clause before it by "and" or a comma, so that its place and condition hold on. */
  isJoined: boolean;
  /** A clause that begins with "so" follows: this one says why. */
  isWhy?: true;
}

const MARKER = /(^|\n)\s*(?:[-*•]|\d{1,3}[.)]|step \d{1,3}[:.)])\s+/gi;
/** Skipped at the start of a sentence; elsewhere "Next" may be the name of a button. */
const COUNTING = /^(?:first|second|third|fourth|fifth|next|finally|lastly|afterwards|also)$/i;

/** Separators that always begin a new clause. */
const HARD =
  '(?<!\\b(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|No|Nr|vs|ca|approx|incl|Inc|Ltd|Jr|Sr))(?:[.!;…]|(?<!\\s)\\?)[.!?;…]*\\s+(?:(?:and\\s+then|and|then)\\s+)?|\\s*\\n\\s*|(?:\\s*,)?\\s+(?:and\\s+|but\\s+)?then,?\\s+|\\s+(?:[–—→]|->)\\s+';
/** Separators that begin a new clause where an action follows. */
const SOFT =
  '\\s*,\\s+(?:and\\s+|but\\s+|so\\s+)*|\\s+and\\s+(?:also\\s+)?|\\s+(?:so(?!\\s+(?:kind|good|that)\\b)|but)\\s+|\\s+&\\s+|(?<!\\b(?:click|press|tap|hit|push|use)(?:\\s+(?:on|the))*)\\s+\\+\\s+';
const SEPARATOR = new RegExp(`(?<hard>${HARD})|${SOFT}`, 'gi');

/** Splits protected text into clauses. An "and" without an action after it stays in the clause: "Terms and Conditions". */
export function splitClauses(text: string, bounds: ClauseBounds): Clause[] {
  const clauses: Clause[] = [];
  /** A place or a condition whose action follows. */
  let lead: Clause | undefined;
  const push = (piece: string, isJoined: boolean): void => {
    clauses.push(
      lead === undefined ? { text: piece, isJoined } : { text: `${lead.text}, ${piece}`, isJoined: lead.isJoined },
    );
    lead = undefined;
  };
  for (const { piece, separator, isHard } of pieces(text.replace(MARKER, '$1'))) {
    const previous = clauses.at(-1);
    const trimmed = trim(piece);
    if (trimmed === '' || (isHard && COUNTING.test(trimmed))) continue;
    const isJoined = !isHard && previous !== undefined;
    // "delete then the size XL" is one deed.
    if (
      previous !== undefined &&
      /^\s+then\s+$/i.test(separator) &&
      /^[a-z]+$/i.test(previous.text) &&
      !bounds.starts(trimmed)
    ) {
      previous.text += ` ${trimmed}`;
      continue;
    }
    if (bounds.starts(trimmed)) {
      if (previous !== undefined && /\bso\b/i.test(separator)) previous.isWhy = true;
      push(trimmed, isJoined);
      continue;
    }
    if (lead !== undefined) {
      lead = { ...lead, text: lead.text + separator + trimmed };
      continue;
    }
    if (bounds.leads(trimmed) && (isHard || previous === undefined || bounds.trails(trimmed))) {
      lead = { text: trimmed, isJoined };
      continue;
    }
    const continued = previous && bounds.continues(previous.text, trimmed, /\bthen\b/i.test(separator));
    if (continued !== undefined) push(continued, isJoined);
    else if (isHard || previous === undefined || (/[,.]/.test(separator) && isReason(trimmed))) push(trimmed, isJoined);
    else previous.text += separator + trimmed;
  }
  // A condition at the end belongs to the action before it.
  const last = clauses.at(-1);
  if (lead !== undefined && last !== undefined && bounds.trails(lead.text)) last.text += ` ${lead.text}`;
  else if (lead !== undefined) clauses.push(lead);
  return clauses;
}

/** “Bergmann & Sons” */
const isOfName = (text: string, { 0: separator, index }: RegExpExecArray): boolean =>
  separator.trim() === '&' &&
  /(?:^|\s)\p{Lu}[\p{L}'’.-]*$/u.test(text.slice(0, index)) &&
  /^\p{Lu}/u.test(text.slice(index + separator.length));

function* pieces(text: string): Generator<{ piece: string; separator: string; isHard: boolean }> {
  let from = 0;
  let separator = '';
  let isHard = true;
  for (const match of text.matchAll(SEPARATOR)) {
    if (isOfName(text, match)) continue;
    yield { piece: text.slice(from, match.index), separator, isHard };
    separator = match[0];
    isHard = match.groups?.['hard'] !== undefined;
    from = match.index + separator.length;
  }
  yield { piece: text.slice(from), separator, isHard };
}
