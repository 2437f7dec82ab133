/**
 * Calls the callbacks of a program one after another, in the order of the changes. Nobody waits for a callback, so it
 * may call the coordinator. A callback that throws is reported, and the next one follows.
 */
export function createCallbackQueue(report: (error: unknown) => void): (call: () => Promise<void> | undefined) => void {
  let last: Promise<void> = Promise.resolve();
  return (call) => {
    last = last.then(call).catch(report);
  };
}
