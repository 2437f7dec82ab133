import { MAX_OUTPUT } from '../../contracts/commands/tool-actions';
import type { SessionValues } from '../secrets/session-values';

const EVERY_MS = 250;
/** So much stays back where secrets are known: one may have come in part only. */
const HELD_BACK = 512;

export interface LiveOutput {
  add(chunk: string): void;
  /** Writes what is left; never rejects. */
  end(): Promise<void>;
}

/**
 * What a tool tells while it runs, in records of a quarter of a second. It is for people who watch: what can't be written
 * is lost, and so is what is more than anybody reads.
 */
export function createLiveOutput(
  values: SessionValues,
  write: (text: string, number: number) => Promise<unknown>,
): LiveOutput {
  let whole = '';
  let told = 0;
  let number = 0;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  function flush(isLast: boolean): void {
    clearTimeout(timer);
    timer = undefined;
    const text = values.redact(whole);
    const until = isLast || !values.hasSecrets ? text.length : Math.max(told, text.length - HELD_BACK);
    const part = text.slice(told, until);
    told = Math.max(told, until);
    if (part === '') return;
    const own = (number += 1);
    writing = writing.then(() => write(part, own)).catch(() => {});
  }

  return {
    add(chunk) {
      if (isOver || whole.length >= MAX_OUTPUT) return;
      whole = (whole + String(chunk)).slice(0, MAX_OUTPUT);
      timer ??= setTimeout(() => flush(false), EVERY_MS);
    },
    async end() {
      isOver = true;
      flush(true);
      await writing;
    },
  };
}
