import { MAX_OUTPUT } from '../../../../contracts/commands/definitions/members';
import type { SessionValues } from '../../../secrets/session-values';

const FLUSH_INTERVAL_MS = 250;
/** Characters that wait for the next record where secrets are known, because they may end in a part of a secret. */
const REDACTION_TAIL = 512;

export interface LiveOutput {
  add(chunk: string): void;
  /** Writes what is left; never rejects. */
  end(): Promise<void>;
}

/**
 * Publishes what a tool outputs while it runs, in a record each quarter of a second. It is for people who watch: a record
 * that can't be written is lost, and so is output beyond the limit.
 */
export function createLiveOutput(
  values: SessionValues,
  write: (text: string, number: number) => Promise<unknown>,
): LiveOutput {
  let whole = '';
  let writtenLength = 0;
  let number = 0;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  function flush(isLast: boolean): void {
    clearTimeout(timer);
    timer = undefined;
    const text = values.redact(whole);
    const until = isLast || !values.hasSecrets ? text.length : Math.max(writtenLength, text.length - REDACTION_TAIL);
    const part = text.slice(writtenLength, until);
    writtenLength = Math.max(writtenLength, until);
    if (part === '') return;
    const own = (number += 1);
    writing = writing.then(() => write(part, own)).catch(() => {});
  }

  return {
    add(chunk) {
      if (isOver || whole.length >= MAX_OUTPUT) return;
      whole = (whole + String(chunk)).slice(0, MAX_OUTPUT);
      timer ??= setTimeout(() => flush(false), FLUSH_INTERVAL_MS);
    },
    async end() {
      isOver = true;
      flush(true);
      await writing;
    },
  };
}
