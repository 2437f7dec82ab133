/** Sessions with `parallelExecution`: their steps run at once, each as a session of its own, while workers are killed. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isTerminal, type LogRecord } from '../../contracts/events/log';
import { SessionStatus } from '../../contracts/sessions/session';
import { eventually } from '../support/eventually';
import { orderProblems } from '../support/event-order';
import { ofActivity, resetWorkflow } from '../support/reset-workflow';
import { killAndAwait } from '../support/kill';
import { endOf, ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
let site: Server;
let url: string;
/** Each press of the button, by page. */
const pressed: string[] = [];
/** Answers that are kept until their page is released. */
const released = new Set<string>();
const held = new Map<string, ServerResponse[]>();
const kept = (name: string) => held.get(name) ?? [];

beforeAll(async () => {
  site = createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://site').pathname.slice(1);
    if (request.method === 'POST') {
      pressed.push(name);
      return show(response, `Done ${name}`);
    }
    if (!name.startsWith('held') || released.has(name)) return show(response, name);
    held.set(name, [...kept(name), response]);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  stack = await startWholeStack({}, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await stack.stop();
}, 60_000);

function show(response: ServerResponse, title: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  const form = '<form method="post"><button style="width:300px;height:200px">Pay</button></form>';
  response.end(`<!doctype html><title>Site</title><h1>${title}</h1>${title.startsWith('Done') ? '' : form}`);
}

function release(...names: string[]): void {
  for (const name of names) {
    released.add(name);
    for (const response of kept(name)) show(response, name);
  }
}

const pay = (name: string) => `Open ${url}/${name}, click "Pay" and expect "Done ${name}"`;
const config = {
  parallelExecution: true,
  aiConfig: { model: 'rules' },
  executorConfig: { screenshotsEnabled: false },
  replay: 'off' as const,
};
const start = async (steps: string[]) => (await stack.client.start({ steps, config })).sessionId;
const bothHeld = (...names: string[]) =>
  eventually('both pages are asked for', () => names.every((name) => kept(name).length > 0), 120_000);

const ofStep = (log: readonly LogRecord[], stepIndex: number) =>
  log.filter((record) => record.stepIndex === stepIndex).map(({ type }) => type);
const childOf = (log: readonly LogRecord[], stepIndex: number) => {
  const started = log.find(({ type, stepIndex: of }) => type === 'STEP_STARTED' && of === stepIndex);
  return started!.data.details!['sessionId'] as string;
};

test('steps run at once while workers are killed: each is done once, and what they save is the session’s', async () => {
  const names = ['held-a', 'held-b'];
  const id = await start(names.map((name, index) => `${pay(name)}, then save the text of the heading as said${index}`));
  await bothHeld(...names);
  await killAndAwait(stack, ['engine-1', 'browser-1']);
  release(...names);
  expect(await endOf(stack, id, 240_000)).toBe('COMPLETED');
  expect(pressed.filter((name) => names.includes(name)).toSorted()).toEqual(names);
  const log = await stack.logOf(id);
  expect(orderProblems(log)).toEqual([]);
  for (const index of [0, 1]) {
    expect(ofStep(log, index)).toEqual(['STEP_STARTED', 'STEP_COMPLETED']);
    const child = await stack.client.get(`${id}:step-${index + 1}`);
    expect(child.session.sessionId).toBe(childOf(log, index));
    expect([child.session.status, child.session.metadata!['stepOf']]).toEqual([
      'COMPLETED',
      { sessionId: id, step: index + 1 },
    ]);
  }
  expect(log.filter(({ type }) => isTerminal(type)).map(({ type }) => type)).toEqual(['WORKFLOW_COMPLETED']);
  const { variables, stepResults } = await stack.client.get(id);
  expect(variables.map(({ name, value }) => [name, value])).toEqual([
    ['said0', 'Done held-a'],
    ['said1', 'Done held-b'],
  ]);
  expect(stepResults.map(({ stepIndex, success }) => [stepIndex, success])).toEqual([
    [0, true],
    [1, true],
  ]);
}, 300_000);

test('a step that fails leaves the others to their end, and the session has failed', async () => {
  const id = await start([pay('held-c'), `Open ${url}/d and click "Nonesuch"`]);
  await eventually('the second step has failed', async () => {
    const { stepResults } = await stack.client.get(id);
    return stepResults.some(({ success }) => !success);
  });
  expect((await stack.client.get(id)).session.status).toBe('ACTIVE');
  release('held-c');
  expect(await endOf(stack, id, 120_000)).toBe('FAILED');
  expect(pressed).toContain('held-c');
  const log = await stack.logOf(id);
  expect(ofStep(log, 0)).toEqual(['STEP_STARTED', 'STEP_COMPLETED']);
  expect(ofStep(log, 1)).toEqual(['STEP_STARTED', 'ERROR_OCCURRED', 'STEP_FAILED']);
  expect((await stack.client.get(id)).error!.message).toMatch(/^1 of 2 parallel steps has failed\. Step 2: .*Nonesuch/);
  await expect(stack.client.fork(id, { fromStep: 1 })).rejects.toThrow('its steps are sessions of their own');
}, 300_000);

test('a pause holds all steps before their next command, and a resume has them go on', async () => {
  const names = ['held-e', 'held-f'];
  const id = await start(names.map(pay));
  await bothHeld(...names);
  await stack.client.pause(id);
  await expect(stack.client.addSteps(id, { steps: [pay('g')] })).rejects.toThrow('running its steps in parallel');
  release(...names);
  const ids = [id, ...[0, 1].map(() => '')];
  const log = await eventually('the session is paused', async () => {
    const { session } = await stack.client.get(id);
    return session.status === SessionStatus.PAUSED ? await stack.engineStore.log.read(id, 0, 1000) : undefined;
  });
  ids.splice(1, 2, childOf(log, 0), childOf(log, 1));
  await eventually('the steps are paused', async () => {
    const all = await Promise.all(ids.map((each) => stack.client.get(each)));
    return all.every(({ session }) => session.status === SessionStatus.PAUSED);
  });
  expect(pressed.filter((name) => names.includes(name))).toEqual([]);
  await stack.client.resume(id);
  expect(await endOf(stack, id, 120_000)).toBe('COMPLETED');
  expect(pressed.filter((name) => names.includes(name)).toSorted()).toEqual(names);
}, 300_000);

test('a cancel ends all steps before the session ends', async () => {
  const names = ['held-h', 'held-i'];
  const id = await start(names.map(pay));
  await bothHeld(...names);
  await stack.client.cancel(id);
  expect(await endOf(stack, id, 120_000)).toBe('CANCELLED');
  const log = await stack.logOf(id);
  for (const index of [0, 1]) {
    expect(ofStep(log, index)).toEqual(['STEP_STARTED', 'STEP_FAILED']);
    expect((await stack.client.get(childOf(log, index))).session.status).toBe('CANCELLED');
  }
  release(...names);
  expect(pressed.filter((name) => names.includes(name))).toEqual([]);
}, 300_000);

test.each([
  ['in the middle', undefined],
  ['to its beginning', ofActivity('openSession')],
])(
  'a session that is reset %s while its steps run does none of them twice',
  async (where, point) => {
    const names = [`held-j ${where}`, `held-k ${where}`].map((name) => name.replaceAll(' ', '-'));
    const id = await start(names.map(pay));
    await bothHeld(...names);
    await resetWorkflow(stack.engineTemporal, id, point);
    release(...names);
    expect(await endOf(stack, id, 240_000)).toBe('COMPLETED');
    const log = await stack.logOf(id);
    expect(orderProblems(log)).toEqual([]);
    for (const index of [0, 1]) expect(ofStep(log, index)).toEqual(['STEP_STARTED', 'STEP_COMPLETED']);
    expect(pressed.filter((name) => names.includes(name)).toSorted()).toEqual(names);
  },
  300_000,
);
