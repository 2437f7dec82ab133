import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { IsolationSchema, type Isolation } from '../contracts/browsers/isolation';
import type { LogRecord } from '../contracts/events/log';
import { StreamEventType } from '../contracts/events/stream-event';
import { SessionStatus } from '../contracts/sessions/session';
import { wholeNumber } from './chaos/options';
import { endedSession, openHarness, type Harness } from './harness/harness';
import { processesOf } from './harness/home-processes';
import { metered } from './harness/meter';
import { printTable } from './harness/statistics';
import { ownProcessorSeconds } from './harness/processor-time';
import { CHROME, usageByKind } from './soak/processes';

const HELP = `npm run bench -- density   short sessions, each in a Chrome of its own, then in Chromes that they share
  --sessions N   of each kind, default 40
  --lanes N      at once, default 8`;

const END_WITHIN_MS = 240_000;
/** Until a Chrome that nobody uses is gone. */
const IDLE_MS = 40_000;

interface Cost {
  wallMs: number;
  processorSeconds: number;
  /** Of it, that of all but Chromes. */
  ownSeconds: number;
  /** Of Chromes, with a session in each lane. */
  megabytes: number;
}

/** Measures what a short session costs by isolation. Throws where one has not completed. */
export async function measureDensity(args: string[]): Promise<void> {
  const number = (text: string) => ({ type: 'string', default: text }) as const;
  const options = { help: { type: 'boolean' }, sessions: number('40'), lanes: number('8') } as const;
  const { values } = parseArgs({ args, options });
  if (values.help === true) {
    console.log(HELP);
    return;
  }
  const sessions = wholeNumber('--sessions', values.sessions, 1);
  const lanes = wholeNumber('--lanes', values.lanes, 1);
  const harness = await openHarness({ SUREFOOT_MAX_BROWSERS: String(lanes + 2) });
  try {
    const costs = new Map<Isolation, Cost>();
    for (const isolation of IsolationSchema.options)
      costs.set(isolation, await costOf(harness, isolation, sessions, lanes));
    const [own, shared] = [costs.get('process')!, costs.get('context')!];
    const row = (what: string, show: (cost: Cost) => number, unit: string, goal: string) => ({
      what,
      measured: `${show(shared).toFixed(1)} ${unit} (${percentChange(show(own), show(shared))})`,
      compared: `${show(own).toFixed(1)} ${unit}`,
      goal,
    });
    printTable(
      `${sessions} sessions of each kind, ${lanes} at once`,
      [
        row('processor a session', ({ processorSeconds }) => processorSeconds / sessions, 's', '-40 %'),
        row('of it in Chrome', (cost) => (cost.processorSeconds - cost.ownSeconds) / sessions, 's', ''),
        row('memory of Chrome an open session', ({ megabytes }) => megabytes / lanes, 'MB', '-70 %'),
        row('sessions a minute', ({ wallMs }) => (60_000 * sessions) / wallMs, '', ''),
      ],
      { measured: 'a Chrome shared', compared: 'one of its own' },
    );
  } finally {
    await harness.stop();
  }
}

function percentChange(from: number, to: number): string {
  const change = Math.round((100 * (to - from)) / from);
  return `${change > 0 ? '+' : ''}${change} %`;
}

async function costOf(harness: Harness, isolation: Isolation, sessions: number, lanes: number): Promise<Cost> {
  const megabytes = await memoryOf(harness, isolation, lanes);
  const pids = () => processesOf(harness.home).map(({ pid }) => pid);
  const [before, startedAt] = [ownSecondsOf(harness), performance.now()];
  const { processorSeconds } = await metered(pids, () => runAll(harness, isolation, sessions, lanes));
  const wallMs = performance.now() - startedAt;
  return { megabytes, wallMs, processorSeconds, ownSeconds: ownSecondsOf(harness) - before };
}

function ownSecondsOf({ home }: Harness): number {
  const others = processesOf(home).filter(({ command }) => !CHROME.test(command));
  return others.reduce((sum, { pid }) => sum + (ownProcessorSeconds(pid) ?? 0), 0);
}

const chromeMegabytes = (harness: Harness): number => (usageByKind(harness, new Map())['chrome']?.ownBytes ?? 0) / 1e6;

/** Memory of Chromes with so many open sessions, above that without any. */
async function memoryOf(harness: Harness, isolation: Isolation, count: number): Promise<number> {
  await sleep(IDLE_MS);
  const idle = chromeMegabytes(harness);
  const { sessions, shop } = harness;
  const steps = [`Open ${shop}/parts/form`, 'Type "Ada" into Name', 'Wait 45 seconds'];
  const ids = await Promise.all(
    Array.from({ length: count }, async () => (await sessions.start({ steps, config: { isolation } })).sessionId),
  );
  for (const id of ids) {
    const isWaiting = ({ type, stepIndex }: LogRecord) => type === StreamEventType.STEP_STARTED && stepIndex === 2;
    for await (const records of sessions.follow(id, 0, AbortSignal.timeout(END_WITHIN_MS)))
      if (records.some(isWaiting)) break;
  }
  const used = chromeMegabytes(harness) - idle;
  for (const id of ids) await endedSession(sessions, id, END_WITHIN_MS);
  return used;
}

async function runAll(harness: Harness, isolation: Isolation, count: number, lanes: number): Promise<void> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await runOne(harness, isolation);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function runOne({ sessions, shop }: Harness, isolation: Isolation): Promise<void> {
  const steps = [`Open ${shop}/parts/form`, 'Type "Ada" into Name', 'Type "0123" into Phone', 'Expect "Notes"'];
  const { sessionId } = await sessions.start({ steps, config: { isolation } });
  const { session, error } = await endedSession(sessions, sessionId, END_WITHIN_MS);
  if (session.status !== SessionStatus.COMPLETED)
    throw new Error(`${sessionId} (${isolation}) ended ${session.status}: ${error?.message}`);
}
