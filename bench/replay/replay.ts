import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { SessionStatus } from '../../contracts/sessions/session';
import type { StartRequest } from '../../contracts/sessions/start-request';
import { startCharacterServer, type CharacterServer } from '../characters/server';
import { UsageError, wholeNumber } from '../chaos/options';
import { endedSession, openHarness, SHOP_PASSWORD, type Harness } from '../harness/harness';
import { processorSeconds, processorSecondsOf } from '../harness/processor-time';
import { median } from '../harness/statistics';
import { requestOf, type Flow } from './flow';
import { FLOWS } from './flows';
import { learnt } from './learnt';

/** What one call of the model that leads takes. */
const MODEL_MS = 2000;
const MODEL = 'ai:openai-compatible/forgetful';
const MOST_OF_RAW = 1.3;
const LEAST_OF_LED = 20;
const ENDED_WITHIN_MS = 300_000;

/** One run of a flow. */
interface Run {
  ms: number;
  processorSeconds: number;
  calls: number;
}

/**
 * Compares flows led by a model that answers after 2 s, replayed by the recipes of that session, and written for Playwright
 * alone. Each includes the start of its Chrome. False where a replay called a model.
 */
export async function measureReplay(args: string[]): Promise<boolean> {
  const { times, flows } = optionsOf(args);
  const server = await startCharacterServer((text) => Math.ceil(text.length / 4), { delayMs: MODEL_MS });
  const harness = await openHarness({ OPENAI_COMPATIBLE_BASE_URL: server.url, SHOP_PASSWORD });
  try {
    const rows = [];
    let isFree = true;
    for (const flow of flows) {
      const led = await runSession(harness, server, flow, { replay: 'prefer', aiConfig: { model: MODEL } });
      await learnt(harness, led.sessionId, flow);
      const replays: Run[] = [];
      const raws: Run[] = [];
      // In turn, so that what else the machine does meets both.
      for (let each = 0; each < times; each += 1) {
        replays.push(await runSession(harness, server, flow, { replay: 'only' }));
        raws.push(await runRaw(harness, flow));
      }
      isFree &&= replays.every(({ calls }) => calls === 0);
      const row = rowOf(flow, led, replays, raws);
      rows.push(row);
      console.log(`  ${Object.values(row).join(' | ')}`);
    }
    console.log(`\nReplay: medians of ${times} runs, load average ${loadavg()[0]!.toFixed(0)}`);
    console.table(rows);
    console.log(
      `Goals: 0 calls of a model, at most ${MOST_OF_RAW} x raw Playwright, at least ${LEAST_OF_LED} x faster.`,
    );
    return isFree;
  } finally {
    await harness.stop();
    await server.stop();
  }
}

function optionsOf(args: string[]): { times: number; flows: readonly Flow[] } {
  const { values } = parse(args);
  const flows = FLOWS.filter(({ name }) => name.includes(values.only));
  if (flows.length > 0) return { times: wholeNumber('--times', values.times, 1), flows };
  const names = FLOWS.map(({ name }) => `“${name}”`).join(', ');
  throw new UsageError(`--only: expected a part of one of ${names}; got “${values.only}”.`);
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: { times: { type: 'string', default: '3' }, only: { type: 'string', default: '' } },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function runSession(
  { sessions, shop, home }: Harness,
  { heard }: CharacterServer,
  flow: Flow,
  config: NonNullable<StartRequest['config']>,
): Promise<Run & { sessionId: string }> {
  const [calls, processor, startedAt] = [heard.length, processorSecondsOf(home), performance.now()];
  const { sessionId } = await sessions.start(requestOf(flow, shop, randomUUID(), config));
  const { session, error } = await endedSession(sessions, sessionId, ENDED_WITHIN_MS);
  const ms = performance.now() - startedAt;
  if (session.status !== SessionStatus.COMPLETED)
    throw new Error(`“${flow.name}” (${config.replay}) ended ${session.status}: ${error?.message}`);
  return { sessionId, ms, processorSeconds: processorSecondsOf(home) - processor, calls: heard.length - calls };
}

async function runRaw({ shop, chromium: executablePath }: Harness, { script }: Flow): Promise<Run> {
  const [processor, startedAt] = [processorSeconds(), performance.now()];
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
    // Playwright would end this process at Ctrl-C before the stack is stopped.
    handleSIGINT: false,
  });
  try {
    await script(await browser.newPage(), shop, randomUUID());
  } finally {
    await browser.close();
  }
  return { ms: performance.now() - startedAt, processorSeconds: processorSeconds() - processor, calls: 0 };
}

function rowOf(flow: Flow, led: Run, replays: readonly Run[], raws: readonly Run[]) {
  const [replay, raw] = [medianOf(replays), medianOf(raws)];
  const seconds = (value: number): string => `${value.toFixed(1)} s`;
  return {
    flow: flow.name,
    led: seconds(led.ms / 1000),
    replayed: seconds(replay.ms / 1000),
    raw: seconds(raw.ms / 1000),
    'replayed to raw': (replay.ms / raw.ms).toFixed(2),
    'led to replayed': (led.ms / replay.ms).toFixed(1),
    'calls: led, replayed': `${led.calls}, ${Math.max(...replays.map(({ calls }) => calls))}`,
    'processor: led, replayed, raw': [led, replay, raw].map((run) => seconds(run.processorSeconds)).join(', '),
  };
}

function medianOf(runs: readonly Run[]): Omit<Run, 'calls'> {
  return {
    ms: median(runs.map(({ ms }) => ms)),
    processorSeconds: median(runs.map((run) => run.processorSeconds)),
  };
}
