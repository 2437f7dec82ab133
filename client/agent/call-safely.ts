import type { ILogger } from '../../contracts/tasks/chat';

/** Calls what a caller has given to be told; whatever that throws, now or later, is logged and breaks nothing (S2.A14). */
export function callSafely(logger: Pick<ILogger, 'error'>, what: string, call: () => unknown): void {
  const report = (error: unknown): void =>
    logger.error(`${what} has thrown: ${error instanceof Error ? error.message : String(error)}`);
  try {
    Promise.resolve(call()).catch(report);
  } catch (error) {
    report(error);
  }
}
