import type { BrowserContext } from 'playwright';
import { StepTrace } from '../../../activities/browser/attach/step-trace';

/** Playwright's tracing, whose starts take as long as a test wants; a trace that is on has a folder. */
class FakeTracing {
  isOn = false;
  starts = 0;
  readonly context = { tracing: this } as unknown as BrowserContext;

  constructor(private readonly gate = Promise.resolve()) {}

  async start(): Promise<void> {
    this.starts += 1;
    await this.gate;
    this.isOn = true;
  }

  async stop(): Promise<void> {
    if (!this.isOn) throw new Error('Must start tracing before stopping');
    this.isOn = false;
  }
}

test('a trace that is discarded while it starts is ended afterwards and leaves no folder', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const tracing = new FakeTracing(promise);
  const trace = new StepTrace(tracing.context);
  const begun = trace.begin(0);
  const discarded = trace.discard();
  resolve();
  await Promise.all([begun, discarded]);
  expect(tracing).toMatchObject({ starts: 1, isOn: false });
});

test('each step has a trace of its own', async () => {
  const tracing = new FakeTracing();
  const trace = new StepTrace(tracing.context);
  await trace.begin(0);
  await trace.begin(0);
  expect(tracing).toMatchObject({ starts: 1, isOn: true });
  await trace.begin(1);
  expect(tracing).toMatchObject({ starts: 2, isOn: true });
  await trace.discard();
  expect(tracing.isOn).toBe(false);
});
