/** docs/timeouts.md is what a real server gets: its tables are compared with the histories of sessions. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { BROWSERS_QUEUE, ENGINE_QUEUE } from '../../contracts/queues';
import { DEFAULT_TIMEOUT_CONFIG } from '../../contracts/sessions/timeouts';
import { failing, HOST_QUEUE, planned, says, WORKER_QUEUE } from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness({ isPatient: false });

/** Unlike any default and unlike one another, so that no number is right by accident. */
const TIMEOUTS = {
  ...DEFAULT_TIMEOUT_CONFIG,
  workflowTimeoutMs: 2_345_000,
  stepTimeoutMs: 234_000,
  requestTimeoutMs: 7100,
  connectionTimeoutMs: 2300,
  maxRetryAttempts: 2,
  retryDelayMs: 130,
};
const COMMANDS = 3;
const QUEUES: Record<string, string> = {
  engine: ENGINE_QUEUE,
  hosts: BROWSERS_QUEUE,
  worker: WORKER_QUEUE,
  host: HOST_QUEUE,
};

const DOC = readFileSync(join(__dirname, '..', '..', 'docs', 'timeouts.md'), 'utf8');

/** The cells of the table under a heading. */
function tableUnder(heading: string): string[][] {
  const [, text = ''] = DOC.split(`## ${heading}\n`);
  const lines = text
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** What a cell of the document comes to in milliseconds; `–` is no limit. */
function milliseconds(cell: string): number {
  if (cell === '–') return 0;
  const least = /^min\((.+), (.+)\)$/.exec(cell);
  if (least !== null) return Math.min(milliseconds(least[1]!), milliseconds(least[2]!));
  return cell
    .split(' + ')
    .reduce((sum, term) => sum + term.split(' × ').reduce((product, factor) => product * valueOf(factor), 1), 0);
}

/** Of a session that gives its calls no limits of their own. */
const OF_REQUEST = ['aiConfig.timeoutMs', 'executorConfig.timeoutMs'];

function valueOf(factor: string): number {
  if (factor === 'commands') return COMMANDS;
  if (OF_REQUEST.includes(factor)) return TIMEOUTS.requestTimeoutMs;
  if (factor in TIMEOUTS) return TIMEOUTS[factor as 'stepTimeoutMs'];
  const seconds = /^(\d+) s$/.exec(factor)?.[1];
  const value = seconds === undefined ? Number(factor) : Number(seconds) * 1000;
  if (Number.isNaN(value)) throw new Error(`docs/timeouts.md has “${factor}”, which is no limit that is known.`);
  return value;
}

const toMs = (duration: { seconds?: unknown; nanos?: unknown } | null | undefined): number =>
  Number(duration?.seconds ?? 0) * 1000 + Number(duration?.nanos ?? 0) / 1e6;

type HistoryEvents = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>;

async function eventsOf(session: Session): Promise<HistoryEvents> {
  return (await session.handle.fetchHistory()).events ?? [];
}

type Scheduled = NonNullable<HistoryEvents[number]['activityTaskScheduledEventAttributes']>;

const scheduledIn = (events: HistoryEvents): Scheduled[] =>
  events.flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);

/** A row of the page for each activity and the queue that it is sent to. */
const ROWS = tableUnder('Activities').flatMap(([names, sentTo, ...limits]) =>
  names!.split(', ').map((name) => ({ name: `${name} by ${sentTo}`, limits })),
);

const transient = () => ApplicationFailure.create({ message: 'the database was away', nonRetryable: false });

test('[S1.R19, S1.A13, S1.A14, S1.A39] activities and timers have the limits of docs/timeouts.md', async () => {
  const config = { timeouts: TIMEOUTS, aiConfig: { model: 'ai:openai/any' } };
  const batch = Array.from({ length: COMMANDS }, (_, n) => planned(`c${n}`, 'GET_DOM'));
  const good = await harness.start(
    { steps: ['Look'], config },
    {
      decide: [failing('TL002'), failing('TL002'), says('PROCEED', batch)],
      runCommands: [transient()],
      closeBrowser: [transient()],
    },
  );
  await good.handle.result();
  const bad = await harness.start({ steps: ['Look'], config }, { decide: [says('RETRY', batch), says('ABORT')] });
  await bad.failure();
  const events = [...(await eventsOf(good)), ...(await eventsOf(bad))];

  const seen = new Set<string>();
  for (const each of scheduledIn(events)) {
    const queue = Object.keys(QUEUES).find((name) => QUEUES[name] === each.taskQueue?.name) ?? 'nowhere';
    const name = `${each.activityType?.name} by ${queue}`;
    seen.add(name);
    const [pickup, once, all, heartbeat, tries] = ROWS.find((row) => row.name === name)?.limits ?? [];
    // Where nothing else is asked for, the server gives the wait for a worker the limit of all tries.
    const isOwn = toMs(each.scheduleToStartTimeout) !== toMs(each.scheduleToCloseTimeout);
    const { maximumAttempts, initialInterval, backoffCoefficient, maximumInterval } = each.retryPolicy ?? {};
    expect([name, toMs(isOwn ? each.scheduleToStartTimeout : null)]).toEqual([name, milliseconds(pickup!)]);
    const alone = milliseconds(once!.replace('commands', '1'));
    expect([milliseconds(once!), alone].map((ms) => [name, ms])).toContainEqual([name, toMs(each.startToCloseTimeout)]);
    expect([name, toMs(each.heartbeatTimeout)]).toEqual([name, milliseconds(heartbeat!)]);
    expect([name, maximumAttempts ?? 0]).toEqual([name, tries === 'unlimited' ? 0 : Number(tries)]);
    const pauses = [toMs(initialInterval), backoffCoefficient, toMs(maximumInterval)];
    expect([name, ...(tries === 'unlimited' ? pauses : [])]).toEqual([
      name,
      ...(tries === 'unlimited' ? [100, 2, 5000] : []),
    ]);
    const whole = toMs(each.scheduleToCloseTimeout);
    const left = TIMEOUTS.stepTimeoutMs + 10_000 - whole;
    const isRight = all === 'the run' ? whole === 0 : left >= 0 && left < 60_000;
    expect([name, all, whole, isRight]).toEqual([name, all, whole, true]);
  }
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'openSession by engine',
      'publishEvents by engine',
      'decide by engine',
      'acquireBrowser by hosts',
      'runCommands by worker',
      'runCommands by host',
      'captureFailure by worker',
      'closeBrowser by worker',
      'closeBrowser by host',
    ]),
  );

  const attempts = events.map((event) => event.activityTaskStartedEventAttributes?.attempt ?? 1);
  expect(Math.max(...attempts)).toBe(1 + TIMEOUTS.maxRetryAttempts);

  const timers = events.flatMap((event) => {
    const lasts = event.timerStartedEventAttributes?.startToFireTimeout;
    const summary = Buffer.from(event.userMetadata?.summary?.data ?? []).toString();
    return lasts === undefined || lasts === null ? [] : [{ summary, ms: toMs(lasts) }];
  });
  for (const [name, lasts] of tableUnder('Timers')) {
    const own = timers.filter(({ summary }) => summary.includes(name!));
    expect([name, own.length > 0]).toEqual([name, true]);
    // What was used of the time before the timer began is gone from it.
    for (const { ms } of own) {
      const difference = milliseconds(lasts!) - ms;
      expect([name, difference >= 0 && difference < (name!.startsWith('limit of') ? 60_000 : 1)]).toEqual([name, true]);
    }
  }
}, 180_000);

test('a model that costs nothing is given up after a second without a beat', async () => {
  const session = await harness.start(
    { steps: ['Look'], config: { aiConfig: { model: 'rules' } } },
    { decide: [says('PROCEED')] },
  );
  await session.handle.result();
  const decide = scheduledIn(await eventsOf(session)).find((each) => each.activityType?.name === 'decide');
  expect(toMs(decide?.heartbeatTimeout)).toBe(1000);
});

test('a call of a model ends with its own limit and with what is left of the step, as Temporal shows it', async () => {
  const session = await harness.start(
    {
      steps: [{ instruction: 'Look', timeoutMs: 9000 }, { instruction: 'Look again' }],
      config: { aiConfig: { model: 'ai:openai/any', timeoutMs: 12_000 } },
    },
    { decide: [says('PROCEED'), says('PROCEED')] },
  );
  await session.handle.result();
  const limits = scheduledIn(await eventsOf(session))
    .filter((each) => each.activityType?.name === 'decide')
    .map((each) => [toMs(each.scheduleToCloseTimeout), toMs(each.startToCloseTimeout)]);
  const [short, long] = limits as [[number, number], [number, number]];
  expect(short[0]).toBeLessThanOrEqual(19_000);
  expect(short[0]).toBeGreaterThan(10_000);
  // The server has no try last longer than all of them may.
  expect(short[1]).toBe(short[0]);
  expect(long[0]).toBeGreaterThan(300_000);
  expect(long[1]).toBe(4 * 12_000 + 30_000);
}, 60_000);

/** Durations as a history in JSON has them: `9.5s`. */
const secondsOf = (duration: unknown): number => Number(/^([\d.]+)s$/.exec(String(duration))?.[1] ?? 0);

test('every activity of the recorded histories is in the table, and none lasts 10 s longer than its step', () => {
  const folder = join(__dirname, '..', 'replay', 'histories');
  const activities = readdirSync(folder).flatMap((name) => {
    const { events } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { events: Record<string, unknown>[] };
    return events.flatMap(
      (event) => (event['activityTaskScheduledEventAttributes'] ?? []) as Record<string, unknown> | [],
    ) as { activityType: { name: string }; startToCloseTimeout: string; scheduleToCloseTimeout: string }[];
  });
  expect(activities.length).toBeGreaterThan(100);
  for (const { activityType, startToCloseTimeout, scheduleToCloseTimeout } of activities) {
    const rows = ROWS.filter(({ name }) => name.startsWith(`${activityType.name} by `));
    expect([activityType.name, rows.length > 0]).toEqual([activityType.name, true]);
    // The defaults: a step of 300 s, requests of 30 s. What has no limit of its own has none for all tries.
    expect(secondsOf(scheduleToCloseTimeout)).toBeLessThanOrEqual(310);
    expect(secondsOf(startToCloseTimeout)).toBeLessThanOrEqual(310);
  }
});
