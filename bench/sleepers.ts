import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { LogRecord } from '../contracts/events/log';
import { SessionStatus } from '../contracts/sessions/session';
import { wholeNumber } from './chaos/options';
import { findTargets } from './chaos/faults/targets';
import { retryUntil } from './chaos/retry-until';
import { openHarness, type Harness } from './harness/harness';
import { percentile, printTable } from './harness/statistics';
import { logOrderProblems } from './log-checks/log-order';
import { usageByKind } from './soak/processes';

const HELP = `npm run bench -- sleepers   what sessions cost that wait for something to appear on a page
  --sessions N   default 1000
  --minutes N    how long they sleep once all have begun, default 60
  --every N      minutes between two looks, default 30`;

const MINUTE_MS = 60_000;
/** Starts of sessions at once: more would measure the starts. */
const AT_ONCE = 4;
/** By then a look has come that was due at the last moment. */
const GRACE_MS = 60_000;
const IDLE_MS = 20_000;
const SAMPLE_MS = 5_000;
const START_WITHIN_MS = 600_000;
const END_WITHIN_MS = 300_000;

/** A shop that notes when each order is looked at; all are packed until they are shipped. */
interface OrderPages {
  url: string;
  looksAt: ReadonlyMap<string, number[]>;
  ship(): void;
  stop(): void;
}

/** Measures sessions that sleep between two looks at a page; false where one has missed a look, an event or its end. */
export async function measureSleepers(args: string[]): Promise<boolean> {
  const number = (text: string) => ({ type: 'string', default: text }) as const;
  const { values } = parseArgs({
    args,
    options: { help: { type: 'boolean' }, sessions: number('1000'), minutes: number('60'), every: number('30') },
  });
  if (values.help === true) {
    console.log(HELP);
    return true;
  }
  const [count, minutes, every] = (['sessions', 'minutes', 'every'] as const).map((name) =>
    wholeNumber(`--${name}`, values[name], 1),
  ) as [number, number, number];
  const pages = await startOrderPages();
  const harness = await openHarness({ SUREFOOT_MAX_SESSIONS: String(count) });
  try {
    await sleep(IDLE_MS);
    const idle = await used(harness, pages, IDLE_MS);
    const ids = await startSleepers(harness, pages.url, count, every);
    console.log(`  ${count} sessions sleep`);
    const sleepMs = minutes * MINUTE_MS + GRACE_MS;
    const slept = await used(harness, pages, sleepMs);
    const late = latenesses(pages, every * MINUTE_MS);
    const fewest = Math.min(
      ...[...pages.looksAt.values()].map((moments) => moments.filter((at) => at > slept.from).length),
    );
    pages.ship();
    const problems: string[] = [];
    for (const id of ids) problems.push(...(await problemsOf(harness, id, every * MINUTE_MS + END_WITHIN_MS)));
    for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
    const due = Math.floor(minutes / every);
    const seconds = (value: number): string => `${(value / 1000).toFixed(1)} s`;
    const above = slept.processorSeconds - (idle.processorSeconds * sleepMs) / IDLE_MS;
    printTable(`${count} sessions that look every ${every} minutes, for ${minutes} minutes`, [
      { what: 'looks', measured: String(slept.looks), goal: `>= ${count * due}` },
      { what: 'fewest looks of a session', measured: String(fewest), goal: `>= ${due}` },
      {
        what: 'from one look to the next, more than asked for',
        measured: `p50 ${seconds(percentile(late, 0.5))}, p99 ${seconds(percentile(late, 0.99))}`,
      },
      {
        what: 'browsers at once',
        measured: `p50 ${percentile(slept.browsers, 0.5)}, at most ${Math.max(...slept.browsers)}`,
      },
      { what: 'processor a look, sleep included', measured: seconds((1000 * above) / slept.looks) },
      { what: 'memory a session', measured: `${((slept.ownBytes - idle.ownBytes) / count / 1e6).toFixed(1)} MB` },
      { what: 'problems of logs and ends', measured: String(problems.length), goal: '0' },
    ]);
    return problems.length === 0 && fewest >= due;
  } finally {
    pages.stop();
    await harness.stop();
  }
}

interface Used {
  from: number;
  looks: number;
  processorSeconds: number;
  ownBytes: number;
  /** Chromes of sessions at each sample. */
  browsers: number[];
}

async function used(harness: Harness, pages: OrderPages, forMs: number): Promise<Used> {
  const sumOf = (of: 'processorSeconds' | 'ownBytes'): number =>
    Object.values(usageByKind(harness, new Map())).reduce((sum, usage) => sum + usage[of], 0);
  const looks = (): number => [...pages.looksAt.values()].reduce((sum, { length }) => sum + length, 0);
  const [from, processorBefore, looksBefore] = [Date.now(), sumOf('processorSeconds'), looks()];
  const browsers: number[] = [];
  while (Date.now() < from + forMs) {
    await sleep(Math.min(SAMPLE_MS, from + forMs - Date.now()));
    browsers.push(findTargets(harness, 'browser').length);
  }
  return {
    from,
    looks: looks() - looksBefore,
    processorSeconds: sumOf('processorSeconds') - processorBefore,
    ownBytes: sumOf('ownBytes'),
    browsers,
  };
}

/** Starts them, and resolves when each has looked once and sleeps. */
async function startSleepers({ sessions }: Harness, url: string, count: number, every: number): Promise<string[]> {
  const ids: string[] = [];
  let begun = 0;
  const start = async (): Promise<void> => {
    while (begun < count) {
      const order = (begun += 1);
      const { sessionId } = await sessions.start({
        steps: [`Open ${url}/orders/${order}`, `Wait until "Shipped" is shown, at most 2 days, every ${every} minutes`],
      });
      ids.push(sessionId);
      const { session, error } = await retryUntil(`the first look of order ${order}`, START_WITHIN_MS, async () => {
        const details = await sessions.get(sessionId);
        return details.pageWait !== undefined || details.error ? details : undefined;
      });
      if (error) throw new Error(`The session of order ${order} has ended ${session.status}: ${error.message}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, start));
  return ids;
}

/** How much later than asked for each look came behind the one before; the opening of the page is the first. */
function latenesses({ looksAt }: OrderPages, everyMs: number): number[] {
  return [...looksAt.values()].flatMap((moments) => moments.slice(1).map((at, nth) => at - moments[nth]! - everyMs));
}

async function problemsOf({ sessions }: Harness, id: string, limitMs: number): Promise<string[]> {
  const records: LogRecord[] = [];
  for await (const batch of sessions.follow(id, 0, AbortSignal.timeout(limitMs))) records.push(...batch);
  const { session, error } = await sessions.get(id);
  const ended = session.status === SessionStatus.COMPLETED ? [] : [`ended ${session.status}: ${error?.message}`];
  return [...ended, ...logOrderProblems(records)].map((problem) => `${id}: ${problem}`);
}

async function startOrderPages(): Promise<OrderPages> {
  const looksAt = new Map<string, number[]>();
  let isShipped = false;
  const server = createServer(({ url = '' }, response) => {
    const order = /^\/orders\/(\d+)$/.exec(url)?.[1];
    if (order !== undefined) looksAt.set(order, [...(looksAt.get(order) ?? []), Date.now()]);
    response.writeHead(order === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      `<!doctype html><title>Orders</title><h1>Order ${order}</h1><p>${isShipped ? 'Shipped' : 'Packed'}</p>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    looksAt,
    ship: () => void (isShipped = true),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
