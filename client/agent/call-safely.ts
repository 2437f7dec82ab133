import type { ILogger } from '../../contracts/tasks/chat';
import { errorMessage } from '../../contracts/errors/error-message';

/** Calls a callback of the caller. Logs what it throws or rejects with, so that the run goes on (S2.A14). */
export function callSafely(logger: Pick<ILogger, 'error'>, what: string, call: () => unknown): void {
  const report = (error: unknown): void => logger.error(`${what} threw: ${errorMessage(error)}`);
  try {
    Promise.resolve(call()).catch(report);
  } catch (error) {
    report(error);
  }
}
