/**
 * Other ways to call sessions, on the whole product: from workflows of other teams, as children and over Nexus, from the
 * Temporal CLI, and as a conversation in the terminal.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { StreamEvent } from '../../contracts/events/stream-event';
import { ENGINE_QUEUE } from '../../contracts/queues';
import { sessionProgress } from '../../client/workflows';
import { locateTemporal } from '../../cli/stack/programs/locate-temporal';
import { systemProbes } from '../../cli/stack/programs/probes';
import { runCli } from '../cli/cli-process';
import { eventually } from '../support/eventually';
import type * as team from '../support/team-workflow';
import { ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
let native: NativeConnection;
let worker: Worker;
let working: Promise<void>;
const taskQueue = 'team';

beforeAll(async () => {
  stack = await startWholeStack({}, ONE_OF_EACH);
  native = await NativeConnection.connect({ address: stack.temporalAddress });
  worker = await Worker.create({
    connection: native,
    taskQueue,
    workflowsPath: require.resolve('../support/team-workflow'),
  });
  working = worker.run();
}, 180_000);
afterAll(async () => {
  worker.shutdown();
  await working;
  await native.close();
  await stack.stop();
}, 60_000);

type Team = typeof team;
const start = <W extends keyof Team>(type: W, ...args: Parameters<Team[W]>) =>
  stack.engineTemporal.workflow.start<Team[W]>(type, { taskQueue, workflowId: `team-${randomUUID()}`, args } as never);
const counter = (): string => `Open ${stack.shop}/parts/counter`;

describe('a workflow of another team', () => {
  it('runs a session as its child, typed, and reads why one has failed', async () => {
    const handle = await start('runs', [counter(), 'Save the Count as count'], 'audit-of-march');
    const { outcome } = await handle.result();
    expect(outcome).toMatchObject({ status: 'COMPLETED', completedSteps: 2, sessionId: expect.any(String) });
    const { workflowId, variables } = await stack.client.get(outcome!.sessionId);
    expect(workflowId).toBe('audit-of-march');
    expect(variables.map(({ name }) => name).sort()).toEqual(['count', 'who']);

    const failed = await start('runs', [counter(), 'Click "Nothing like this"'], 'audit-of-april');
    expect(await failed.result()).toEqual({ code: 'TL004', message: expect.stringContaining('Nothing like this') });
    const refused = await start('runs', [], 'audit-of-may');
    expect(await refused.result()).toEqual({ code: 'SP001', message: expect.stringContaining('at least one step') });
  });

  it('pauses its session, adds a step and lets it go on', async () => {
    const handle = await start('steers', [counter()], 'Click "Add one"');
    expect(await handle.result()).toMatchObject({ status: 'COMPLETED', completedSteps: 2 });
  });

  it('cancels its session when it is cancelled, and a query shows how far the session is', async () => {
    const id = `wait-${randomUUID()}`;
    const handle = await start('isCancelled', [counter(), 'Wait 60 seconds'], id);
    const session = stack.engineTemporal.workflow.getHandle(id);
    const progress = await eventually('the second step', async () => {
      const now = await session.query(sessionProgress).catch(() => undefined);
      return now?.currentStepIndex === 1 && now;
    });
    expect(progress).toMatchObject({
      status: 'ACTIVE',
      totalSteps: 2,
      completedSteps: 1,
      currentStepName: 'Wait 60 seconds',
      overallProgress: 50,
    });
    await handle.cancel();
    expect(await handle.result()).toBe('cancelled');
    expect((await stack.client.get(progress.sessionId)).session.status).toBe('CANCELLED');
  });

  it('runs a session over Nexus, once for each request', async () => {
    const { operatorService } = stack.engineTemporal.connection as unknown as NativeConnection;
    const target = { worker: { namespace: 'default', taskQueue: ENGINE_QUEUE } };
    await operatorService.createNexusEndpoint({ spec: { name: 'surefoot', target } });
    const handle = await start('runsOverNexus', 'surefoot', { steps: [counter()], metadata: { team: 'billing' } });
    const { sessionId, ...outcome } = await handle.result();
    expect(outcome).toEqual({ status: 'COMPLETED', completedSteps: 1 });
    expect((await stack.client.get(sessionId)).session.metadata).toMatchObject({ team: 'billing' });
    const named = (await stack.client.list({ page: 1, pageSize: 50 })).sessions.filter(
      ({ metadata }) => metadata?.['team'] === 'billing',
    );
    expect(named).toHaveLength(1);
  });
});

describe('the terminal', () => {
  const surefoot = (args: string[], input?: string) =>
    runCli(args, {
      env: { SUREFOOT_HOME: stack.home, DATABASE_URL: stack.databaseUrl, TEMPORAL_ADDRESS: stack.temporalAddress },
      ...(input === undefined ? {} : { input }),
    });

  it('holds a conversation: each line of the input is its next task, and the end of the input closes it', async () => {
    const lines = [`Open ${stack.shop}/parts/counter`, '', 'Save the Count as count'].join('\n');
    const { exitCode, stdout, stderr } = await surefoot(
      ['run', '--chat', '--tenant', 'acme', '--approval-mode', 'yolo'],
      lines,
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.match(/Waiting for the next task/g)).toHaveLength(2);
    expect(stdout).toMatch(/Session completed: All 2 steps/);
    const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(stdout)![0];
    const { request, answer } = await stack.client.get(id);
    expect(request.steps).toEqual([{ task: lines.split('\n')[0] }, { task: 'Save the Count as count' }]);
    expect(request.config).toMatchObject({ agent: { stayOpen: true, approvalMode: 'yolo' } });
    expect(answer).toMatch(/count: \d+$/);
  });

  it('refuses tools that are none, gives a task its place among the steps, and streams its answer', async () => {
    const agent = { tools: ['read_page', 'reed_page'] };
    const wrong = await surefoot(
      ['run', '-'],
      JSON.stringify({ steps: [{ task: `Open ${stack.shop}/parts` }], config: { agent } }),
    );
    expect(wrong.exitCode).toBe(1);
    expect(wrong.stdout).toContain('SP001 config.agent.tools names “reed_page”, and no tool is called so.');
    const answer = await fetch(`${stack.api}/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ task: 'Open the shop' }),
    });
    expect(answer.status).toBe(400);
    const { error } = (await answer.json()) as { error: { details: { issues: object[] } } };
    expect(error.details.issues).toContainEqual({
      path: 'task',
      message: 'unknown field task; a task is a step: {"steps": [{"task": "…"}]}',
    });
    const { stdout } = await surefoot(['run', '--json', '--task', `Open ${stack.shop}/parts`]);
    const events = stdout.trim().split('\n');
    const done = events.map((line) => JSON.parse(line) as StreamEvent).find(({ type }) => type === 'STEP_COMPLETED');
    expect(done?.data.details?.['answer']).toMatch(/^All that was asked is done/);
  });

  it('runs a session by the script of the example, with the Temporal CLI alone', async () => {
    const file = join(stack.home, 'session.json');
    writeFileSync(file, JSON.stringify({ steps: [counter(), 'Click "Add one"'] }));
    const script = join(__dirname, '..', '..', 'examples', 'temporal-cli', 'run-session.sh');
    const temporal = locateTemporal(systemProbes({ ...process.env, TEMPORAL_ADDRESS: '' }), stack.home);
    if (temporal.kind !== 'program') throw new Error('The Temporal CLI is not installed.');
    const { stdout, stderr, status } = spawnSync(script, ['by-hand', file], {
      encoding: 'utf8',
      env: {
        ...process.env,
        PATH: `${dirname(temporal.path)}:${process.env['PATH']}`,
        TEMPORAL_ADDRESS: stack.temporalAddress,
      },
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stdout).toContain('"completedSteps": 2');
    expect(stdout).toContain('"overallProgress": 100');
  });

  it('lists a session of the Temporal CLI with the name of its workflow', async () => {
    const name = 'nightly-audit';
    const facts = { workflowId: name, taskQueue: ENGINE_QUEUE, args: [{ steps: [`Open ${stack.shop}/parts`] }] };
    const handle = await stack.engineTemporal.workflow.start('session', facts);
    await handle.result();
    expect((await surefoot(['list', '--limit', '30'])).stdout).toMatch(
      /^ID +WORKFLOW +STATUS[^]*\n[0-9a-f-]{36} +nightly-audit +COMPLETED/,
    );
  });
});
