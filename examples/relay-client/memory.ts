import { randomUUID } from 'node:crypto';
import type { BrowserToolResult } from '../../contracts/tools/browser-tool-result';

/** Answers that the API has kept are remembered for a while all the same. */
const KEPT_LIMIT = 100;

export type Remembered = { kind: 'unknown' } | { kind: 'running' } | { kind: 'done'; result: BrowserToolResult };

/**
 * What this client has begun and answered, by request id. An answer stays until the API says that it is kept: only so may
 * "I do not know this call" be taken for "it never ran".
 */
export interface CallMemory {
  readonly id: string;
  /** Runs it the first time; every other time, nothing. Resolves when it is done. */
  once(requestId: string, run: () => Promise<BrowserToolResult>): Promise<BrowserToolResult>;
  recall(requestId: string): Remembered;
  kept(requestId: string): void;
}

export function createMemory(): CallMemory {
  const calls = new Map<string, { answer: Promise<BrowserToolResult>; result?: BrowserToolResult }>();
  const kept: string[] = [];
  return {
    id: randomUUID(),
    once(requestId, run) {
      const known = calls.get(requestId);
      if (known !== undefined) return known.answer;
      const answer = run();
      calls.set(requestId, { answer });
      return answer.then((result) => {
        calls.set(requestId, { answer, result });
        return result;
      });
    },
    recall(requestId) {
      const known = calls.get(requestId);
      if (known === undefined) return { kind: 'unknown' };
      return known.result === undefined ? { kind: 'running' } : { kind: 'done', result: known.result };
    },
    kept(requestId) {
      kept.push(requestId);
      if (kept.length > KEPT_LIMIT) calls.delete(kept.shift()!);
    },
  };
}
