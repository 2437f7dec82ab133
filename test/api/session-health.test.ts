import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { partyOf } from '../../contracts/modules/compatibility';
import { MODULE_IDS } from '../../contracts/modules/module-sessions';
import { ModulesHealthSchema, SessionHealthSchema } from '../../contracts/modules/session-health';
import type { WorkflowSession } from '../../contracts/sessions/session';
import { sessionIdOf } from '../../store/sessions/session-id';
import { eventually } from '../support/eventually';
import { aSession, bodyOf, post, startTestApi, type TestApi } from './fixture';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const health = async (sessionId: string) => {
  const response = await api.app.request(`/v1/sessions/${sessionId}/health`);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  return SessionHealthSchema.parse((await bodyOf(response)).data);
};
const modules = async () => {
  const response = await api.app.request('/v1/health/modules');
  expect(response.status).toBe(200);
  return ModulesHealthSchema.parse((await bodyOf(response)).data);
};

test('the health of a session lists its nine modules, and names what was damaged and what to do', async () => {
  const sessionId = await aSession(api.store);
  for (const moduleId of ['step-processor', 'executor', 'frontend-api'])
    await api.store.processes.join(randomUUID(), partyOf(moduleId));
  const well = await health(sessionId);
  expect(well).toMatchObject({ sessionId, status: 'INITIALIZING', isHealthy: true, integrity: { isValid: true } });
  expect(well.modules.map(({ moduleId }) => moduleId)).toEqual(MODULE_IDS);
  expect(well.modules.every(({ isLinked, isCarried }) => isLinked && isCarried)).toBe(true);
  expect((await modules()).isHealthy).toBe(true);

  const sql = postgres(api.stack.databaseUrl, { max: 1 });
  await sql`update sessions set module_overrides = '{"executor": {"link": null}}' where session_id = ${sessionId}`;
  await sql.end();
  const ill = await health(sessionId);
  expect(ill).toMatchObject({ isHealthy: false, integrity: { isValid: false, missingLinks: ['executor'] } });
  expect(ill.integrity.recommendations).toEqual([expect.stringMatching(/of executor is not linked: link it/)]);
  const all = await modules();
  expect(all.isHealthy).toBe(false);
  expect(all.coordinator.moduleHealthStatus).toMatchObject({ executor: false, 'task-loop': true });
});

test('a session is also found by the name of its workflow', async () => {
  const name = `checkout ${randomUUID()}`;
  const plan = (await api.store.sessions.get(await aSession(api.store)))!.plan;
  await api.store.sessions.create({ sessionId: sessionIdOf(name), workflowId: name, plan });
  expect(await health(encodeURIComponent(name))).toMatchObject({ sessionId: sessionIdOf(name) });
});

test('a start has its module sessions when it is answered, with executorSessionId and streamId', async () => {
  const answer = await api.app.request('/v1/sessions', post({ steps: ['look'] }));
  expect(answer.status).toBe(202);
  const { sessionId } = (await bodyOf(answer)).data as { sessionId: string };
  expect((await health(sessionId)).integrity).toMatchObject({ isValid: true, linkedModules: expect.any(Array) });
  const { session } = (await bodyOf(api.app.request(`/v1/sessions/${sessionId}`))).data as {
    session: WorkflowSession;
  };
  const own = Object.fromEntries((await health(sessionId)).modules.map((each) => [each.moduleId, each.sessionId]));
  expect([own['executor'], own['executor-streamer']]).toEqual([session.executorSessionId, session.streamId]);
  const listed = await eventually(
    'the process knows it',
    () => api.coordinator.getWorkflowSession(sessionId) ?? undefined,
  );
  expect(listed.metadata).toMatchObject({ steps: ['look'] });
});
