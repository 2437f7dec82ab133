import type { SessionValues } from '../../secrets/session-values';
import { storable } from './storable';

/** Redacts a text while it is being written, also secrets that come in two pieces. */
export interface StreamRedactor {
  /** Returns what is safe to publish by now. */
  add(text: string): string;
  /** Returns the rest. */
  end(): string;
}

export function createStreamRedactor(values: Pick<SessionValues, 'redact' | 'wholeUntil'>): StreamRedactor {
  let held = '';

  /** Never within a character. */
  function safeEnd(): number {
    const end = values.wholeUntil(held);
    const last = held.charCodeAt(end - 1);
    return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
  }

  function take(end: number): string {
    const text = storable(held.slice(0, end));
    held = held.slice(end);
    return values.redact(text);
  }

  return {
    add(text) {
      held += text;
      return take(safeEnd());
    },
    end: () => take(held.length),
  };
}
