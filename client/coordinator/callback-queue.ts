/**
 * Callbacks of others, called one after another in the order of the changes. Nobody waits for them, so one may call back
 * into whoever calls it; one that throws is reported and the next is called all the same.
 */
export function createCallbackQueue(report: (error: unknown) => void): (call: () => Promise<void> | undefined) => void {
  let last: Promise<void> = Promise.resolve();
  return (call) => {
    last = last.then(call).catch(report);
  };
}
