/** Blocks this thread for so long, as a busy loop would, without taking a processor. */
export function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
