import type { BrowserToolResult } from '../../contracts/tasks/agent-loop';
import { randomKey } from '../http/random-key';

/** Answers that the API has stored are kept for this long. */
const KEPT_LIMIT = 100;

export type Remembered = { kind: 'unknown' } | { kind: 'running' } | { kind: 'done'; result: BrowserToolResult };

/**
 * The calls that this client has started and answered, by request id. An answer stays until the API confirms that it is
 * stored: only then does an unknown request id mean that the call never ran.
 */
export interface CallMemory {
  readonly id: string;
  /** Runs a call the first time and ignores repeats. Resolves when it has ended. */
  once(requestId: string, run: () => Promise<BrowserToolResult>): Promise<BrowserToolResult>;
  recall(requestId: string): Remembered;
  kept(requestId: string): void;
}

export function createMemory(): CallMemory {
  const calls = new Map<string, { answer: Promise<BrowserToolResult>; result?: BrowserToolResult }>();
  const kept: string[] = [];
  return {
    id: randomKey(),
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
