import { Session } from 'node:inspector';
import { OBSERVE, type Observed } from '../../runtime/current-work';

/** A thread that is in a long call of native code answers nobody. */
const LIMIT_MS = 1000;

/**
 * Asks the main thread what it is at, in the middle of a loop, of a regular expression, or of a sort: the inspector
 * interrupts them. Undefined where it does not answer.
 */
export async function observeMainThread(): Promise<Observed | undefined> {
  const session = new Session();
  session.connectToMainThread();
  try {
    return await new Promise<Observed | undefined>((resolve) => {
      setTimeout(() => resolve(undefined), LIMIT_MS);
      session.post('Runtime.evaluate', { expression: OBSERVE, returnByValue: true, silent: true }, (error, answer) => {
        const text: unknown = error === null ? answer.result.value : undefined;
        resolve(typeof text === 'string' ? (JSON.parse(text) as Observed) : undefined);
      });
    });
  } finally {
    session.disconnect();
  }
}
