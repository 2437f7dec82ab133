/**
 * SIGTERM: a worker that is asked to end finishes its command, writes the checkpoint and hands over. Proves: nothing is
 * done twice, nothing is unknown, nobody waits for a time-out of Temporal, and no viewer misses anything.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Client } from '@temporalio/client';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { StartRequest } from '../../contracts/sessions/start-request';
import { readyFilePath } from '../../cli/stack/supervisor/run-files';
import { orderProblems } from '../support/event-order';
import { eventually } from '../support/eventually';
import { demoRequest, endOf, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
beforeAll(async () => {
  stack = await startWholeStack({ SUREFOOT_DRAIN_MS: '20000' });
}, 120_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

const { COMMAND_STARTED } = StreamEventType;
const ACTIVITY_TASK_TIMED_OUT = 13;

/** Which process holds the session's browser, by the lease. */
async function holder(sessionId: string): Promise<{ pid: number; epoch: number }> {
  const lease = (await stack.engineStore.leases.get(sessionId))!;
  return { pid: Number(lease.workerId.split('-').at(-2)), epoch: lease.epoch };
}

async function timeouts(temporal: Client, sessionId: string): Promise<number> {
  const { events } = await temporal.workflow.getHandle(sessionId).fetchHistory();
  return (events ?? []).filter((event) => Number(event.eventType) === ACTIVITY_TASK_TIMED_OUT).length;
}

/** Ends the process as a deployment does, and waits until its successor works. */
async function restart(name: string): Promise<void> {
  const before = stack.pidOf(name);
  process.kill(before, 'SIGTERM');
  const file = readyFilePath(stack.home, name);
  await eventually(
    `${name} is ready again`,
    () => {
      if (!existsSync(file)) return false;
      const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number };
      return pid !== before && stack.pidOf(name) === pid;
    },
    60_000,
  );
}

/** The demo with a wait before each step, so that it lasts. */
function slowDemo(run: string, seconds: number): StartRequest {
  const request = demoRequest(stack, run);
  const steps = (request.steps as string[]).flatMap((step) => [step, `Wait ${seconds} seconds`]);
  return { ...request, steps };
}

async function expectOneOrder(sessionId: string, run: string): Promise<void> {
  const status = await endOf(stack, sessionId);
  const { error } = await stack.client.get(sessionId);
  expect({ status, error: error?.message }).toEqual({ status: 'COMPLETED', error: undefined });
  expect(await stack.orders(run)).toHaveLength(1);
  expect(orderProblems(await stack.logOf(sessionId))).toEqual([]);
  const journal = await stack.engineStore.journal.ofSession(sessionId);
  expect(journal.filter((entry) => entry.status === 'unknown')).toEqual([]);
}

it('a worker asked to end within a batch hands over after its command, and none runs twice', async () => {
  const waits = Array.from({ length: 4 }, () => 'wait 1 second').join(', ');
  const { sessionId } = await stack.client.start({
    steps: [`Open ${stack.shop}/login`, `Type "ada" into Username, type "secret" into Password, ${waits}`],
  });
  await recordOf(
    stack,
    sessionId,
    'the first wait',
    ({ type, data }) => type === COMMAND_STARTED && data.command?.action === 'WAIT_FOR',
  );
  const before = await holder(sessionId);
  process.kill(before.pid, 'SIGTERM');
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  const journal = (await stack.engineStore.journal.ofSession(sessionId)).filter(({ stepIndex }) => stepIndex === 1);
  expect(journal.map(({ action, status, turn }) => [action, status, turn])).toEqual(
    ['INPUT_TEXT', 'INPUT_TEXT', 'WAIT_FOR', 'WAIT_FOR', 'WAIT_FOR', 'WAIT_FOR'].map((action) => [action, 'done', 0]),
  );
  // The intent of the next command may have gone into the journal with the last outcome; nothing else was begun twice.
  expect(journal.slice(0, 2).map(({ attempts }) => attempts)).toEqual([1, 1]);
  expect(journal.reduce((sum, { attempts }) => sum + attempts, 0)).toBeLessThanOrEqual(journal.length + 1);
  // The epoch shows that another worker took over; that its lease is gone already, that it released the browser.
  const { epoch } = (await stack.engineStore.sessions.get(sessionId))!;
  expect(epoch).toBe(before.epoch + 1);
  expect(await timeouts(stack.engineTemporal, sessionId)).toBe(0);
  await eventually('it has ended', () => !stack.stack.processes().some(({ pid }) => pid === before.pid));
});

it('a rolling restart of all workers and the API costs the sessions and a viewer nothing', async () => {
  const runs = [randomUUID(), randomUUID()];
  const sessions = await Promise.all(runs.map((run) => stack.client.start(slowDemo(run, 2))));
  await recordOf(stack, sessions[0]!.sessionId, 'its first step', ({ type }) => type === COMMAND_STARTED);
  const seen: number[] = [];
  const viewer = (async () => {
    for (;;) {
      const url = `${stack.api}/v1/sessions/${sessions[0]!.sessionId}/events`;
      const headers = { accept: 'text/event-stream', 'last-event-id': String(seen.at(-1) ?? 0) };
      const response = await fetch(url, { headers }).catch(() => undefined);
      if (response?.status === 204) return;
      const text = await response?.text().catch(() => '');
      for (const match of text?.matchAll(/^id: (\d+)$/gm) ?? []) seen.push(Number(match[1]));
      if (text?.includes('event: end')) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  for (const name of ['browser-1', 'browser-2', 'engine-1', 'engine-2', 'api']) await restart(name);
  for (const [index, { sessionId }] of sessions.entries()) await expectOneOrder(sessionId, runs[index]!);
  await viewer;
  const { lastSeq } = (await stack.engineStore.sessions.get(sessions[0]!.sessionId))!;
  expect([...new Set(seen)]).toEqual(Array.from({ length: lastSeq }, (_, index) => index + 1));
});

it('a keeper that is asked to end leaves its Chromes to the next one', async () => {
  const run = randomUUID();
  const { sessionId } = await stack.client.start(slowDemo(run, 2));
  await recordOf(
    stack,
    sessionId,
    'a wait',
    ({ type, stepIndex, data }) => type === COMMAND_STARTED && stepIndex === 5 && data.command?.action === 'WAIT_FOR',
  );
  const chrome = async () => (await stack.engineStore.checkpoints.get(sessionId))!.browserId;
  const before = await chrome();
  await restart('keeper');
  await expectOneOrder(sessionId, run);
  expect(await chrome()).toBe(before);
});
