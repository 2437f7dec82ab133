import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IdempotencyOptions, MessageReceipt } from '../../service/port/receipt';
import { ClientError } from '../../service/port/port';
import { asCalled } from '../terminal/as-called';
import type { Terminal } from '../terminal/terminal';

const RETRIES = 2;
const PAUSE_MS = 1000;

/**
 * Gives a message, or starts a session, under a key, and repeats it under that key during an outage: it is carried out once,
 * also where the answer to the first try was lost.
 */
export async function sendOnce<T>(
  give: (options: IdempotencyOptions) => Promise<T>,
  idempotencyKey: string = randomUUID(),
): Promise<T> {
  const options = { idempotencyKey };
  for (let retry = 0; ; retry += 1) {
    try {
      return await give(options);
    } catch (error) {
      if (retry === RETRIES || !(error instanceof ClientError) || error.kind !== 'unavailable') throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** Prints the sentence of a message that was applied, or what is to be known of one that is pending. */
export function printReceipt(terminal: Terminal, { reason, sessionId }: MessageReceipt, applied: string): void {
  if (reason === undefined) return terminal.print(applied);
  terminal.print(reason);
  terminal.print(`${asCalled(`messages ${sessionId}`)} lists the messages.`);
}
