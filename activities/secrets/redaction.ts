import { SECRET_MARK } from '../../contracts/sessions/resources';
import { DisguiseFinder, type Span } from './disguises';
import { encodedPatterns, LONGEST_ESCAPE } from './encoded-patterns';

/** A shorter secret would match everywhere: it is redacted only where it is the whole text. */
const SHORTEST_INSIDE_TEXT = 4;

/**
 * Redacts known secrets in a text: plain, escaped as in URLs, forms, HTML and JSON, even twice, in base64 at any offset, and
 * in disguise. Takes time linear in the length of the text.
 */
export class Redactor {
  private readonly secrets = new Set<string>();
  private readonly disguises = new DisguiseFinder();
  private compiled: RegExp | undefined;

  get isEmpty(): boolean {
    return this.secrets.size === 0;
  }

  add(value: string): void {
    if (value === '' || this.secrets.has(value)) return;
    this.secrets.add(value);
    if (value.length >= SHORTEST_INSIDE_TEXT) this.disguises.add(value);
    this.compiled = undefined;
  }

  /** Source of a regular expression that matches all secrets in any encoding; undefined when none can be part of a text. */
  get pattern(): string | undefined {
    // Longest first: a secret may start with another.
    const long = [...this.secrets].filter(({ length }) => length >= SHORTEST_INSIDE_TEXT);
    const sources = long.sort((one, other) => other.length - one.length).flatMap(encodedPatterns);
    return sources.length === 0 ? undefined : sources.join('|');
  }

  /** What a page is searched for whose letters and digits are compared alone. */
  get folds(): string[] {
    return this.disguises.folds;
  }

  redact(text: string): string {
    if (this.secrets.has(text)) return SECRET_MARK;
    return this.secrets.size === 0 ? text : replaced(text, this.spansIn(text));
  }

  /**
   * Redacts texts that are read one after the other, such as the nodes of a page: a secret may begin in one of them and end
   * in another.
   */
  redactTogether(texts: readonly string[]): string[] {
    if (this.secrets.size === 0) return [...texts];
    const spans = this.spansIn(texts.join('\n'));
    let start = 0;
    return texts.map((text) => {
      const from = start;
      start += text.length + 1;
      if (this.secrets.has(text)) return SECRET_MARK;
      const own = spans.filter(([begin, end]) => begin < from + text.length && end > from);
      return replaced(
        text,
        own.map(([begin, end]) => [Math.max(0, begin - from), Math.min(text.length, end - from)]),
      );
    });
  }

  /** Where secrets stand in a text, in order, none over another. */
  spansIn(text: string): Span[] {
    this.compiled ??= new RegExp(this.pattern ?? NEVER, 'g');
    const exact = [...text.matchAll(this.compiled)].map((match): Span => [match.index, match.index + match[0].length]);
    const disguised = this.disguises.spansIn(text);
    return disguised.length === 0 ? exact : joined([...exact, ...disguised]);
  }

  /** Up to where a text that is being written is whole: what follows may become a secret, or is part of one. */
  wholeUntil(text: string): number {
    const longest = Math.max(0, ...[...this.secrets].map(({ length }) => length * LONGEST_ESCAPE));
    const end = Math.min(Math.max(0, text.length - longest), this.disguises.unfinishedFrom(text));
    const [begin] = this.spansIn(text).find(([from, to]) => from < end && to > end) ?? [];
    return begin ?? end;
  }
}

const NEVER = '(?!)';

function joined(spans: readonly Span[]): Span[] {
  const ordered = spans.toSorted(([one], [other]) => one - other);
  const kept: [number, number][] = [];
  for (const [start, end] of ordered) {
    const last = kept.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else kept.push([start, end]);
  }
  return kept;
}

function replaced(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let from = 0;
  const pieces = spans.map(([start, end]) => {
    const piece = `${text.slice(from, start)}${SECRET_MARK}`;
    from = end;
    return piece;
  });
  return `${pieces.join('')}${text.slice(from)}`;
}
