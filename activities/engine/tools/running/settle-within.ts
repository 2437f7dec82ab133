import type { ToolResult } from '../../../../contracts/tools/tool';

/** How long a tool may take to settle after it was aborted. */
const STOP_LIMIT_MS = 2000;

/** How the promise of a tool settled. */
export type SettledTool =
  | { kind: 'result'; result: ToolResult }
  | { kind: 'error'; error: unknown }
  | { kind: 'timeout' }
  /** Aborted, and it did not settle in time after that. */
  | { kind: 'stopped' };

/** Waits for a tool. At its timeout, or when `stop` aborts, the tool gets two seconds more to settle. */
export async function settleWithin(
  working: Promise<ToolResult>,
  timeoutMs: number,
  stop: AbortController,
): Promise<SettledTool> {
  const timers: NodeJS.Timeout[] = [];
  let isOutOfTime = false;
  const settled: Promise<SettledTool> = working.then(
    (result) => ({ kind: 'result', result }) as const,
    (error: unknown) => ({ kind: 'error', error }) as const,
  );
  const limit = new Promise<SettledTool>((resolve) => {
    const giveUp = (): void => {
      // A tool that stops properly settles; one that hangs is abandoned.
      timers.push(setTimeout(() => resolve({ kind: isOutOfTime ? 'timeout' : 'stopped' }), STOP_LIMIT_MS));
    };
    if (stop.signal.aborted) giveUp();
    else stop.signal.addEventListener('abort', giveUp, { once: true });
    timers.push(
      setTimeout(() => {
        isOutOfTime = true;
        stop.abort(new Error('The tool is out of time.'));
      }, timeoutMs),
    );
  });
  try {
    const ended = await Promise.race([settled, limit]);
    if (ended.kind !== 'error' || !stop.signal.aborted) return ended;
    return { kind: isOutOfTime ? 'timeout' : 'stopped' };
  } finally {
    timers.forEach((timer) => clearTimeout(timer));
  }
}
