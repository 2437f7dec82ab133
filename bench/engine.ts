import { chromium } from 'playwright';
import { StreamEventType } from '../contracts/events/stream-event';
import type { LogRecord } from '../contracts/events/log';
import { openHarness, restClient, type Harness } from './harness/harness';
import { median, ms, percentile, printTable, type Row } from './harness/statistics';

/**
 * Measures what the engine adds to bare Playwright, on the same flow in the same run: filling fields of the shop's form.
 * Only an idle machine gives comparable figures.
 */
const FIELDS = ['Name', 'Nickname', 'Phone', 'Notes'];
const BATCH = 20;
const BATCHES = 5;
const ITERATIONS = 30;
const STARTS = 20;
const LONG = 600;
const AT_ONCE = 40;

export async function measureEngine(): Promise<void> {
  const harness = await openHarness();
  try {
    const bare = await barePlaywright(harness);
    const rows: Row[] = [
      ...(await commands(harness, bare)),
      ...(await iterations(harness, bare)),
      await history(harness),
      await lateSteps(harness),
      await firstEvent(harness),
      await manyStarts(harness),
    ];
    printTable(`Engine over bare Playwright (a fill alone: p50 ${ms(bare)})`, rows);
  } finally {
    await harness.stop();
  }
}

function fillSentence(count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `type "value ${index}" into ${FIELDS[index % FIELDS.length]}`,
  ).join('; ');
}

/** Measures the same fills with bare Playwright: one Chrome and role selectors. */
async function barePlaywright({ shop, chromium: executablePath }: Harness): Promise<number> {
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
    // Playwright would end this process at Ctrl-C before the stack is stopped.
    handleSIGINT: false,
  });
  try {
    const page = await browser.newPage();
    await page.goto(`${shop}/parts/form`);
    const times: number[] = [];
    for (let index = 0; index < BATCH * BATCHES; index += 1) {
      const startedAt = performance.now();
      await page.getByRole('textbox', { name: FIELDS[index % FIELDS.length]!, exact: true }).fill(`value ${index}`);
      times.push(performance.now() - startedAt);
    }
    return median(times);
  } finally {
    await browser.close();
  }
}

function timesOf(log: readonly LogRecord[], type: StreamEventType): number[] {
  return log.filter((record) => record.type === type).map((record) => Date.parse(record.at));
}

/** Measures from one command's completion to the next within a batch, minus Playwright's own time. */
async function commands(harness: Harness, bare: number): Promise<Row[]> {
  const withShots = await commandTimes(harness, true);
  const without = await commandTimes(harness, false);
  const row = (what: string, times: number[], goal?: string): Row => ({
    what,
    measured: `p50 ${ms(median(times) - bare)} over Playwright`,
    compared: `p50 ${ms(median(times))}, p95 ${ms(percentile(times, 0.95))} in all; ratio ${(median(times) / bare).toFixed(2)}`,
    ...(goal === undefined ? {} : { goal }),
  });
  return [row('a command in a batch', without, '<= 1.5 ms'), row('the same, with a screenshot of each', withShots)];
}

async function commandTimes(harness: Harness, screenshotsEnabled: boolean): Promise<number[]> {
  const steps = [`Open ${harness.shop}/parts/form`, ...Array.from({ length: BATCHES }, () => fillSentence(BATCH))];
  const { log } = await harness.run(steps, { executorConfig: { screenshotsEnabled } });
  const gaps: number[] = [];
  for (let step = 1; step <= BATCHES; step += 1) {
    const ends = timesOf(
      log.filter((record) => record.stepIndex === step),
      StreamEventType.COMMAND_COMPLETED,
    );
    gaps.push(...ends.slice(1).map((end, index) => end - ends[index]!));
  }
  return gaps;
}

/** Measures steps of one fill each: between two fills are a model call, two activities and a snapshot. */
async function iterations(harness: Harness, bare: number): Promise<Row[]> {
  const steps = [`Open ${harness.shop}/parts/form`, ...Array.from({ length: ITERATIONS }, () => fillSentence(1))];
  const rows: Row[] = [];
  for (const enableReflection of [false, true]) {
    const { log } = await harness.run(steps, { executorConfig: { screenshotsEnabled: false }, enableReflection });
    const ends = timesOf(log, StreamEventType.COMMAND_COMPLETED).slice(1);
    const whole = median(ends.slice(1).map((end, index) => end - ends[index]!));
    rows.push({
      what: enableReflection
        ? 'a step of one fill that is judged (model answering at once)'
        : 'an iteration (model answering at once)',
      measured: `p50 ${ms(whole - bare)} over Playwright`,
      compared: `p50 ${ms(whole)} in all; ratio ${(whole / bare).toFixed(1)}`,
      goal: enableReflection ? '' : '<= 30 ms',
    });
  }
  return rows;
}

/** Measures the history of an iteration from two sessions that differ by ten iterations. */
async function history(harness: Harness): Promise<Row> {
  const lengths: number[] = [];
  for (const count of [5, 15]) {
    const steps = [`Open ${harness.shop}/parts/form`, ...Array.from({ length: count }, () => fillSentence(1))];
    const config = { executorConfig: { screenshotsEnabled: false }, enableReflection: false };
    const { sessionId } = await harness.run(steps, config);
    lengths.push(await harness.historyLength(sessionId));
  }
  const [short = 0, long = 0] = lengths;
  return {
    what: 'Temporal history per step of one iteration',
    measured: `${((long - short) / 10).toFixed(1)} events`,
    compared: 'its activities, each with its workflow task',
    goal: '<= 12',
  };
}

/** Compares the last steps of a long session with early ones. */
async function lateSteps(harness: Harness): Promise<Row> {
  const steps = [`Open ${harness.shop}/parts/form`, ...Array.from({ length: LONG }, () => fillSentence(1))];
  const { log } = await harness.run(steps, { executorConfig: { screenshotsEnabled: false } });
  const ends = timesOf(log, StreamEventType.STEP_COMPLETED);
  const times = ends.slice(1).map((end, index) => end - ends[index]!);
  const [early, late] = [median(times.slice(50, 150)), median(times.slice(-100))];
  return {
    what: `a late step of ${LONG} over an early one`,
    measured: `ratio ${(late / early).toFixed(2)}`,
    compared: `p50 ${ms(early)} and ${ms(late)}`,
    goal: '<= 1.1',
  };
}

/** Measures from POST /v1/sessions to the first event over SSE, of one session after the other. */
async function firstEvent(harness: Harness): Promise<Row> {
  const times: number[] = [];
  for (let index = 0; index < STARTS; index += 1) times.push(await startToFirstEvent(harness));
  return {
    what: 'POST /v1/sessions to its first event by SSE',
    measured: `p50 ${ms(median(times))}`,
    compared: `p95 ${ms(percentile(times, 0.95))}`,
    goal: 'p50 <= 50 ms',
  };
}

/** The same of many at once. */
async function manyStarts(harness: Harness): Promise<Row> {
  const times = await Promise.all(Array.from({ length: AT_ONCE }, () => startToFirstEvent(harness)));
  return {
    what: `the same, ${AT_ONCE} at once`,
    measured: `p99 ${ms(percentile(times, 0.99))}`,
    compared: `p50 ${ms(median(times))}`,
    goal: 'p99 <= 1 s',
  };
}

/** Milliseconds; returns when the session has ended. */
async function startToFirstEvent({ api, sessions }: Harness): Promise<number> {
  const startedAt = performance.now();
  const { sessionId } = await restClient(api).startSession({ steps: ['Wait 0 seconds'] });
  const reading = new AbortController();
  const stream = await fetch(`${api}/v1/sessions/${sessionId}/events`, {
    headers: { accept: 'text/event-stream' },
    signal: reading.signal,
  });
  const decoder = new TextDecoder();
  for await (const chunk of stream.body!) if (decoder.decode(chunk as Uint8Array).includes('id:')) break;
  const tookMs = performance.now() - startedAt;
  reading.abort();
  for await (const _ of sessions.follow(sessionId, 0, AbortSignal.timeout(120_000))) void _;
  return tookMs;
}
