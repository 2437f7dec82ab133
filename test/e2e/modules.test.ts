import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { openCoordinator, type Coordinator } from '../../service/coordinator/coordinator';
import { StreamEventType } from '../../contracts/events/stream-event';
import { MODULE_IDS } from '../../contracts/modules/module-sessions';
import { SessionStatus } from '../../contracts/sessions/session';
import { ModulesHealthSchema, SessionHealthSchema } from '../../contracts/modules/session-health';
import { eventually } from '../support/eventually';
import {
  ONE_BROWSER_WORKER,
  demoRequest,
  endOf,
  recordOf,
  startWholeStack,
  type WholeStack,
} from '../support/whole-stack';

let stack: WholeStack;
let coordinator: Coordinator;

beforeAll(async () => {
  stack = await startWholeStack({}, ONE_BROWSER_WORKER);
  const { engineStore: store, engineTemporal: temporal } = stack;
  coordinator = await openCoordinator({ store, temporal, logger: pino({ enabled: false }) });
});
afterAll(async () => {
  await coordinator.close();
  await stack.stop();
});

const dataOf = async (path: string): Promise<unknown> =>
  ((await (await fetch(`${stack.api}${path}`)).json()) as { data: unknown }).data;
const surefoot = (...args: string[]) =>
  promisify(execFile)(process.execPath, [join(__dirname, '..', '..', 'bin', 'surefoot.js'), ...args], {
    env: { ...process.env, DATABASE_URL: stack.databaseUrl, TEMPORAL_ADDRESS: stack.temporalAddress },
  });

test('[S1.R1, S1.R4] with engine workers and API killed all nine modules end as their session does', async () => {
  const { sessionId } = await stack.client.start(demoRequest(stack, 'modules'));
  await recordOf(stack, sessionId, 'a command', ({ type }) => type === StreamEventType.COMMAND_COMPLETED);
  for (const name of ['engine-1', 'api', 'engine-2']) process.kill(stack.pidOf(name), 'SIGKILL');
  expect(await endOf(stack, sessionId, 200_000)).toBe(SessionStatus.COMPLETED);

  const health = await eventually('the API answers, and every process is back', async () => {
    const answer = SessionHealthSchema.safeParse(await dataOf(`/v1/sessions/${sessionId}/health`).catch(() => ({})));
    return answer.success && answer.data;
  });
  expect(health).toMatchObject({ isHealthy: true, status: 'COMPLETED', integrity: { missingLinks: [] } });
  expect(health.modules.map(({ moduleId, status }) => `${moduleId} ${status}`)).toEqual(
    MODULE_IDS.map((moduleId) => `${moduleId} COMPLETED`),
  );
  const active = health.modules.filter(({ createdAt, lastActivity }) => lastActivity > createdAt);
  expect(active.map(({ moduleId }) => moduleId)).toEqual(MODULE_IDS);
  await eventually(
    'all modules are well',
    async () => ModulesHealthSchema.parse(await dataOf('/v1/health/modules')).isHealthy,
  );

  const { stdout } = await surefoot('show', sessionId, '--health');
  for (const moduleId of MODULE_IDS) expect(stdout).toMatch(new RegExp(`${moduleId} +COMPLETED .* yes +yes`));
  expect(stdout).toContain('All modules are healthy.');
}, 300_000);

test('[S1.R4] a running session is destroyed: it ends, its log is whole, its module sessions are gone', async () => {
  const { sessionId } = await coordinator.createWorkflowSession([
    `Open ${stack.shop}/parts/counter`,
    'Wait for "what never comes"',
  ]);
  await eventually('it runs', () => coordinator.getWorkflowSession(sessionId)?.status === SessionStatus.ACTIVE);
  const api = coordinator.getModuleSessionManager('frontend-api')!;
  const before = api.getLastActivity(sessionId)!;
  const paused = await fetch(`${stack.api}/v1/sessions/${sessionId}/pause`, { method: 'POST' });
  expect(paused.status).toBe(202);
  await eventually('the order is an activity of the API', () => api.getLastActivity(sessionId)! > before);
  await eventually('it is paused', () => api.getSessionStatus(sessionId) === SessionStatus.PAUSED);
  await coordinator.destroyWorkflowSession(sessionId);
  expect(coordinator.getWorkflowSession(sessionId)?.status).toBe(SessionStatus.CLEANUP);
  expect(coordinator.getLinkedSessions(sessionId)).toEqual({});
  expect((await stack.logOf(sessionId)).at(-1)?.type).toBe(StreamEventType.WORKFLOW_FAILED);
  expect(await dataOf(`/v1/sessions/${sessionId}/health`)).toMatchObject({
    status: 'CLEANUP',
    isHealthy: true,
    modules: [],
  });
});

test('the command reports a damaged session, with what to do and exit code 1', async () => {
  const { sessionId } = await coordinator.createWorkflowSession([`Open ${stack.shop}/parts/counter`]);
  await endOf(stack, sessionId);
  await coordinator.unlinkModuleSession(sessionId, 'executor');
  await expect(surefoot('show', sessionId, '--health')).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /executor +COMPLETED .* NO +yes[^]*Not all modules are healthy:[^]*executor is not linked: link it/,
    ),
  });
});
