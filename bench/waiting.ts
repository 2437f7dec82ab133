import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createApiClient } from '../client/http/api-client';
import { wholeNumber } from './chaos/options';
import { openHarness, type Harness } from './harness/harness';
import { printTable, type Row } from './harness/statistics';
import { usageByKind, type Usage } from './soak/processes';

const HELP = `npm run bench -- waiting   processor and memory of sessions that are paused, above those of a stack without any
  --sessions N   default 100
  --seconds N    how long each is measured, default 60`;

/** Starts of sessions at once: more would measure the starts. */
const AT_ONCE = 4;
const RELEASE_MS = 1000;

/** Measures what waiting sessions cost: they are paused, and their browsers are released. */
export async function measureWaiting(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean' },
      sessions: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '60' },
    },
  });
  if (values.help === true) {
    console.log(HELP);
    return;
  }
  const count = wholeNumber('--sessions', values.sessions, 1);
  const seconds = wholeNumber('--seconds', values.seconds, 1);
  const harness = await openHarness({ SUREFOOT_PAUSE_RELEASE_MS: String(RELEASE_MS) });
  try {
    // What a start sets in motion is over by then.
    await sleep(20_000);
    const idle = await usedIn(harness, seconds);
    await startPaused(harness, count);
    await untilReleased(harness, idle['chrome']?.count ?? 0);
    const waiting = await usedIn(harness, seconds);
    const share = (used: Usage | undefined): number => (100 * (used?.processorSeconds ?? 0)) / seconds;
    const megabytes = (used: Usage | undefined): number => (used?.ownBytes ?? 0) / 1e6;
    const sumOf = (used: Record<string, Usage>, of: (one: Usage) => number): number =>
      Object.values(used).reduce((sum, one) => sum + of(one), 0);
    const rows = Object.keys(waiting).map((kind): Row => ({
      what: kind,
      measured: `${share(waiting[kind]).toFixed(1)} % of a core, ${megabytes(waiting[kind]).toFixed(0)} MB`,
      compared: `${share(idle[kind]).toFixed(1)} % and ${megabytes(idle[kind]).toFixed(0)} MB without sessions`,
    }));
    const [above, before] = [sumOf(waiting, share), sumOf(idle, share)];
    const [memory, memoryBefore] = [waiting, idle].map((used) => sumOf(used, ({ ownBytes }) => ownBytes) / 1e6);
    rows.push(
      {
        what: 'all processes',
        measured: `${(above - before).toFixed(1)} % of a core above the idle stack`,
        compared: `${above.toFixed(1)} % and ${before.toFixed(1)} %`,
        goal: '<= 2 %',
      },
      {
        what: 'memory a session',
        measured: `${((memory! - memoryBefore!) / count).toFixed(2)} MB`,
        compared: `${memory!.toFixed(0)} and ${memoryBefore!.toFixed(0)} MB in all`,
        goal: '<= 0.3 MB',
      },
    );
    printTable(`${count} paused sessions, ${seconds} s`, rows);
  } finally {
    await harness.stop();
  }
}

/** What each kind of process uses in so many seconds, and its memory at their end. */
async function usedIn(harness: Harness, seconds: number): Promise<Record<string, Usage>> {
  const before = usageByKind(harness, new Map());
  await sleep(seconds * 1000);
  return Object.fromEntries(
    Object.entries(usageByKind(harness, new Map())).map(([kind, usage]) => {
      const processorSeconds = usage.processorSeconds - (before[kind]?.processorSeconds ?? 0);
      return [kind, { ...usage, processorSeconds: Math.max(0, processorSeconds) }];
    }),
  );
}

/** Waits until no session has a browser, nor is about to get one. */
async function untilReleased(harness: Harness, pooled: number): Promise<void> {
  for (let quietSeconds = 0; quietSeconds < 20; quietSeconds += 1) {
    if ((usageByKind(harness, new Map())['chrome']?.count ?? 0) > pooled) quietSeconds = 0;
    await sleep(1000);
  }
}

async function startPaused({ sessions, api }: Harness, count: number): Promise<void> {
  const client = createApiClient(api);
  const ids: string[] = [];
  for (let begun = 0; begun < count; begun += AT_ONCE) {
    const group = Array.from({ length: Math.min(AT_ONCE, count - begun) }, async () => {
      const { sessionId } = await sessions.start({ steps: ['Wait 50 seconds'] });
      await client.pauseSession(sessionId);
      ids.push(sessionId);
    });
    await Promise.all(group);
  }
  for (const id of ids) while ((await sessions.get(id)).session.status !== 'PAUSED') await sleep(200);
}
