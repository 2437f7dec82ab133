import { setTimeout as sleep } from 'node:timers/promises';
import type { Readiness } from '../../../runtime/process';
import { endProcess } from './end-process';
import { boundLog, lastWords, logFilePath } from './log-file';
import type { Reporter } from '../reporting/reporter';
import { decideRestart, type ChildExit } from './restart-policy';
import { removeRunRecord, writeRunRecord } from './run-files';
import { spawnChild, type ChildSpec, type ChildRun } from './spawn-child';
import { ChildEnded, stackReasonOf, StackError } from '../reporting/stack-error';
import { killGroup } from '../../../runtime/process-group';

export interface SupervisedChild {
  name: string;
  stopOrder: number;
  /** Resolves when the child is ready for the first time; rejects with a StackError when it never is. */
  ready: Promise<Readiness>;
  /** Prevents restarts until the returned function is called. */
  hold(): () => void;
  /** Ends the child; `atOnce` kills it. */
  stop(how?: { atOnce?: boolean }): Promise<void>;
}

/** A server may recover its data for longer than this: it gets a warning and is not killed. */
const READY_WITHIN_MS = 60_000;
const PROBE_MS = 20;
const MAX_EXITS = 20;
const LOG_CHECK_MS = 60_000;

/** Starts the child and restarts it whenever it dies, until it is stopped or given up. */
export function superviseChild(
  spec: ChildSpec,
  home: string,
  reporter: Reporter,
  /** Called where the stack can't go on without it. */
  onGivenUp: (error: StackError) => void,
): SupervisedChild {
  const stopping = new AbortController();
  const exits: ChildExit[] = [];
  let current: ChildRun | undefined;
  let readySince: number | undefined;
  let held: Promise<void> | undefined;
  let wasEverReady = false;
  const { promise: ready, resolve: resolveReady, reject: rejectReady } = Promise.withResolvers<Readiness>();
  // A rejection that nobody awaits must not end the supervisor.
  ready.catch(() => undefined);

  async function keepAlive(): Promise<void> {
    boundLog(home, spec.name);
    const checking = setInterval(() => boundLog(home, spec.name), LOG_CHECK_MS).unref();
    stopping.signal.addEventListener('abort', () => clearInterval(checking));
    for (let restarts = 0; !stopping.signal.aborted; restarts += 1) {
      await held;
      if (stopping.signal.aborted) return;
      await spec.prepare?.();
      if (stopping.signal.aborted) return;
      const life = spawnChild(spec, home, restarts);
      current = life;
      readySince = undefined;
      void watchReadiness(life);
      const { reason, wasByItself } = await life.ended;
      current = undefined;
      if (stopping.signal.aborted) return;
      const now = performance.now();
      exits.push({
        workedMs: now - (readySince ?? now),
        lastWords: wasByItself ? lastWords(home, spec.name, life.logStart).split('\n').at(-1) : undefined,
      });
      // Only consecutive exits count.
      exits.splice(0, exits.length - MAX_EXITS);
      const decision = decideRestart(exits, { wasEverReady, isIndependent: spec.advice !== undefined });
      if (decision.kind === 'give-up') {
        const how = `ended ${exits.length} times, the last time because ${reason}`;
        return fail(new ChildEnded(withLastWords(life, how)));
      }
      reporter.warn(`${spec.name}: ${reason}; restarting it`);
      await sleep(decision.delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  async function watchReadiness(life: ChildRun): Promise<void> {
    const { readyWithinMs = READY_WITHIN_MS, isExpendable = false } = spec;
    const deadline = performance.now() + readyWithinMs;
    while (current === life && life.pid !== undefined) {
      const readiness = await spec.probe(life.pid).catch(() => undefined);
      if (current !== life) return;
      if (readiness !== undefined) {
        if (life.record !== undefined) writeRunRecord(home, { ...life.record, ...readiness });
        wasEverReady = true;
        readySince = performance.now();
        return resolveReady(readiness);
      }
      if (performance.now() > deadline) {
        const late = `was not ready within ${readyWithinMs / 1000} s`;
        if (!wasEverReady || !isExpendable) return fail(new StackError(withLastWords(life, late)));
        reporter.warn(`${spec.name} ${late} and is killed`);
        return void killGroup(life.pid);
      }
      await sleep(PROBE_MS);
    }
  }

  function withLastWords({ logStart }: ChildRun, what: string): string {
    const words = lastWords(home, spec.name, logStart);
    const advice = spec.advice === undefined ? '' : `\n${spec.advice()}`;
    return `${spec.name} ${what}. From ${logFilePath(home, spec.name)}:\n${words}${advice}`;
  }

  /** Rejects `ready` during the start; later the stack ends, or goes on without this child and with a warning. */
  function fail(error: StackError): void {
    if (!wasEverReady) rejectReady(error);
    else if (spec.advice !== undefined) onGivenUp(error);
    else reporter.warn(error.message);
  }

  const life = keepAlive().catch((error: unknown) => {
    fail(
      error instanceof StackError ? error : new StackError(`${spec.name} can't be started: ${stackReasonOf(error)}`),
    );
  });

  function hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    stopping.signal.addEventListener('abort', () => resolve());
    held = promise;
    return resolve;
  }

  async function stop({ atOnce = false } = {}): Promise<void> {
    stopping.abort();
    rejectReady(new StackError(`${spec.name} was stopped before it was ready.`));
    const record = current?.record;
    if (record !== undefined) {
      await endProcess(record, atOnce ? (spec.endSignal ?? 'SIGKILL') : spec.stopSignal);
      // Its own children in the group end with it.
      killGroup(record.pid);
    }
    await life;
    removeRunRecord(home, spec.name);
  }

  return { name: spec.name, stopOrder: spec.stopOrder, ready, hold, stop };
}
