/** A queue with one reader. Values that were pushed before its end are still read. */
export class EventQueue<T> {
  private readonly values: T[] = [];
  private state: { kind: 'open' } | { kind: 'ended' } | { kind: 'failed'; error: unknown } = { kind: 'open' };
  private wake: () => void = () => {};

  push(value: T): void {
    this.values.push(value);
    this.wake();
  }

  end(): void {
    if (this.state.kind === 'open') this.state = { kind: 'ended' };
    this.wake();
  }

  fail(error: unknown): void {
    if (this.state.kind === 'open') this.state = { kind: 'failed', error };
    this.wake();
  }

  get isOpen(): boolean {
    return this.state.kind === 'open';
  }

  async *read(): AsyncGenerator<T, void> {
    for (;;) {
      while (this.values.length > 0) yield this.values.shift()!;
      if (this.state.kind === 'ended') return;
      if (this.state.kind === 'failed') throw this.state.error;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}
