import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACTIVITY_LIMITS } from '../../contracts/sessions/activity-limits';
import type { LogRecord } from '../../contracts/events/log';
import { endedSession, openHarness, type Harness } from '../harness/harness';
import { recover, signalWorker } from '../recovery';
import { startHangingServer } from './hanging-server';
import { LIMIT_CASES, NO_CHROME, type LimitCase } from './limit-cases';

const SESSION_LIMIT_MS = 60_000;
/** A limit that is exceeded costs no more than this beyond itself. */
const MOST_OVER_MS = 1500;

interface Exceeded {
  limit: string;
  configured: string;
  'in Temporal': string;
  'what happened': string;
  seconds: string;
  code: string;
  isInTime: boolean;
}

/**
 * Has a session exceed each of its limits on a whole stack and prints when and how it ended; resolves to false where one
 * took more than 1.5 s beyond its limit.
 */
export async function measureLimits(only: string[]): Promise<boolean> {
  const isWanted = ({ limit }: LimitCase): boolean => only.length === 0 || only.includes(limit);
  const site = await startHangingServer();
  const rows: Exceeded[] = [];
  try {
    const cases = LIMIT_CASES.filter(isWanted);
    if (cases.length > 0) rows.push(...(await exceedAll(cases, site.url, { withHeartbeat: only.length === 0 })));
    if (isWanted(NO_CHROME)) rows.push(...(await withoutChrome(site.url)));
  } finally {
    site.stop();
  }
  console.table(rows);
  return rows.every(({ isInTime }) => isInTime);
}

async function exceedAll(
  cases: readonly LimitCase[],
  site: string,
  { env = {}, withHeartbeat = false }: { env?: NodeJS.ProcessEnv; withHeartbeat?: boolean },
): Promise<Exceeded[]> {
  const harness = await openHarness({ OPENAI_COMPATIBLE_BASE_URL: `${site}/v1`, ...env });
  const rows: Exceeded[] = [];
  try {
    for (const each of cases) rows.push(await exceed(harness, site, each));
    if (withHeartbeat) rows.push(await missHeartbeats(harness));
    return rows;
  } finally {
    await harness.stop();
  }
}

/** A Chrome that starts and never answers. */
async function withoutChrome(site: string): Promise<Exceeded[]> {
  const folder = mkdtempSync(join(tmpdir(), 'surefoot-limits-'));
  try {
    const path = join(folder, 'chrome.sh');
    const script = `case "$*" in *--version*) echo "Chromium 150.0";; *) exec sleep 600;; esac`;
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return await exceedAll([NO_CHROME], site, { env: { CHROMIUM_PATH: path } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function exceed(harness: Harness, site: string, each: LimitCase): Promise<Exceeded> {
  const { sessions } = harness;
  const { steps, config, limit, atMostMs } = each;
  const { sessionId } = await sessions.start({ steps, config, variables: { site } });
  const log: LogRecord[] = [];
  for await (const batch of sessions.follow(sessionId, 0, AbortSignal.timeout(SESSION_LIMIT_MS))) log.push(...batch);
  const { session, error } = await endedSession(sessions, sessionId, SESSION_LIMIT_MS);
  const start = log.findLast(each.from);
  const end = log.findLast(each.until);
  if (start === undefined || end === undefined)
    throw new Error(`Session ${sessionId} of ${limit} ended ${session.status} without its events: ${error?.message}`);
  const lastedMs = Date.parse(end.at) - Date.parse(start.at);
  const failure = end.data.error ?? error ?? undefined;
  return {
    limit,
    configured: seconds(atMostMs),
    'in Temporal': await temporalOption(harness, sessionId, each),
    'what happened': failure?.message ?? `the session is ${session.status}`,
    seconds: seconds(lastedMs),
    code: failure?.code ?? '',
    isInTime: lastedMs >= atMostMs - MOST_OVER_MS && lastedMs <= atMostMs + MOST_OVER_MS,
  };
}

/** A worker that is frozen in the middle of a batch sends no heartbeat. */
async function missHeartbeats(harness: Harness): Promise<Exceeded> {
  let frozen = 0;
  const lastedMs = await recover(harness, 'worker', async (_, sessionId) => {
    frozen = await signalWorker(harness, sessionId, 'SIGSTOP');
  });
  process.kill(frozen, 'SIGKILL');
  const { heartbeatMs } = ACTIVITY_LIMITS['commands by worker'];
  return {
    limit: 'heartbeat of a browser worker',
    configured: seconds(heartbeatMs),
    'in Temporal': `runCommands: heartbeat ${seconds(heartbeatMs)}`,
    'what happened': 'another worker goes on with the batch',
    seconds: seconds(lastedMs),
    code: '',
    isInTime: lastedMs <= heartbeatMs + MOST_OVER_MS,
  };
}

/** What the history says of the activity that the limit bounds, or of the timer that is the limit. */
async function temporalOption({ temporal }: Harness, sessionId: string, each: LimitCase): Promise<string> {
  const { events = [] } = await temporal.workflow.getHandle(sessionId).fetchHistory();
  if (each.activity === undefined) {
    const timers = (events ?? []).map((event) => durationMs(event.timerStartedEventAttributes?.startToFireTimeout));
    const timer = timers.find((lastsMs) => lastsMs > 0 && Math.abs(lastsMs - each.atMostMs) < MOST_OVER_MS);
    return timer === undefined ? 'none' : `timer ${seconds(timer)}`;
  }
  const scheduled = (events ?? [])
    .map((event) => event.activityTaskScheduledEventAttributes)
    .findLast((attributes) => attributes?.activityType?.name === each.activity);
  const { startToCloseTimeout, scheduleToCloseTimeout } = scheduled ?? {};
  const all = durationMs(scheduleToCloseTimeout);
  const once = `${each.activity}: startToClose ${seconds(durationMs(startToCloseTimeout))}`;
  return all > 0 ? `${once}, scheduleToClose ${seconds(all)}` : once;
}

function durationMs(duration: { seconds?: unknown; nanos?: unknown } | null | undefined): number {
  return Number(duration?.seconds ?? 0) * 1000 + Number(duration?.nanos ?? 0) / 1e6;
}

function seconds(valueMs: number): string {
  return `${Number((valueMs / 1000).toFixed(1))} s`;
}
