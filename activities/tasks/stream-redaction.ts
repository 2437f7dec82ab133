import type { SessionValues } from '../secrets/session-values';
import { storable } from './storable';

/** Redacts a text while it is being written, also secrets that come in two pieces. */
export interface StreamRedactor {
  /** Returns what is safe to publish by now. */
  add(text: string): string;
  /** Returns the rest. */
  end(): string;
}

export function createStreamRedactor(
  values: Pick<SessionValues, 'redact' | 'secretPattern' | 'maxSecretLength'>,
): StreamRedactor {
  let held = '';
  const { secretPattern, maxSecretLength } = values;

  /** Up to where no secret can begin whose end has not come yet; never within one, nor within a character. */
  function safeEnd(): number {
    let end = held.length;
    if (secretPattern !== undefined) {
      end = Math.max(0, held.length - maxSecretLength);
      for (const match of held.matchAll(new RegExp(secretPattern, 'g'))) {
        const from = match.index;
        if (from < end && from + match[0].length > end) end = from;
      }
    }
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
