import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { pino } from 'pino';
import { openCoordinator, type Coordinator } from '../../../service/coordinator/coordinator';
import type { ISessionManager, ModuleSessionInfo } from '../../../contracts/modules/module-sessions';
import { MODULE_IDS } from '../../../contracts/modules/module-sessions';
import { partyOf } from '../../../contracts/modules/compatibility';
import { StreamEventType } from '../../../contracts/events/stream-event';
import { isOpen, SessionStatus, type WorkflowSession } from '../../../contracts/sessions/session';
import type { Store } from '../../../store/store';
import { aPlan, aRecord, aSession } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { startTestStack, type TestStack } from '../../support/stack';

const logger = pino({ enabled: false });
const { INITIALIZING, ACTIVE, PAUSED, COMPLETED, FAILED, CANCELLED, CLEANUP } = SessionStatus;

let stack: TestStack;
let store: Store;
let sql: postgres.Sql;
let coordinator: Coordinator;
/** As another process has one, on a store of its own. */
let other: Coordinator;
let later: (() => Promise<unknown> | void)[] = [];

beforeAll(async () => {
  stack = await startTestStack();
  store = await stack.store();
  sql = postgres(stack.databaseUrl, { max: 2, onnotice: () => {} });
  const temporal = await stack.temporal();
  coordinator = await openCoordinator({ store, temporal, logger });
  other = await openCoordinator({ store: await stack.store(), temporal, logger });
});
afterEach(async () => {
  for (const undo of later.reverse()) await undo();
  later = [];
});
afterAll(async () => {
  await coordinator.close();
  await other.close();
  await sql.end();
  await stack.stop();
});

const managerOf = (moduleId: string, of: Coordinator = coordinator): ISessionManager =>
  of.getModuleSessionManager(moduleId)!;
const setStatus = (sessionId: string, status: SessionStatus) =>
  store.log.append(sessionId, [], { patch: { status, ...(isOpen(status) ? {} : { closed: true }) } });
/** As they follow from what is stored now, whatever this process knows. */
const stored = async (sessionId: string) => (await coordinator.sessionHealth(sessionId)).modules;
const statusesOf = async (sessionId: string) => [...new Set((await stored(sessionId)).map(({ status }) => status))];
const known = (sessionId: string, of: Coordinator = coordinator) =>
  eventually('the session is known', () => of.getWorkflowSession(sessionId) ?? undefined);
async function aKnownSession(options: Parameters<typeof aSession>[1] = {}): Promise<string> {
  const sessionId = await aSession(store, options);
  await known(sessionId);
  await known(sessionId, other);
  // A session that is active was created first: a projection may have been read between the two.
  if (options.isActive === true)
    for (const each of [coordinator, other])
      await eventually('it is known as active', () => each.getWorkflowSession(sessionId)?.status === ACTIVE);
  return sessionId;
}

/** A module that keeps its sessions itself, as a program may register one. */
function aManager(moduleId: string, change: Partial<ISessionManager> = {}) {
  const kept = new Map<string, ModuleSessionInfo>();
  const manager: ISessionManager = {
    moduleId,
    async createSession(id) {
      const at = new Date();
      const facts = { moduleId, sessionId: `${moduleId}/${id}`, linkedWorkflowSessionId: id };
      kept.set(id, {
        ...facts,
        status: coordinator.getWorkflowSession(id)?.status ?? INITIALIZING,
        createdAt: at,
        lastActivity: at,
      });
      return facts.sessionId;
    },
    destroySession: async (id) => void kept.delete(id),
    getSession: (id) => kept.get(id) ?? null,
    sessionExists: (id) => kept.has(id),
    updateSessionStatus: async (id, status) => void (kept.get(id)!.status = status),
    getSessionStatus: (id) => kept.get(id)?.status ?? null,
    recordActivity: async (id) => void (kept.get(id)!.lastActivity = new Date()),
    getLastActivity: (id) => kept.get(id)?.lastActivity ?? null,
    setLifecycleCallbacks: () => {},
    healthCheck: async () => ({
      moduleId,
      isHealthy: true,
      activeSessions: kept.size,
      totalSessions: kept.size,
      errors: [],
      lastHealthCheck: new Date(),
    }),
    ...change,
  };
  coordinator.registerModule(moduleId, manager);
  later.push(() => coordinator.unregisterModule(moduleId));
  return { manager, kept };
}

test('[S1.R1, S1.R4, S1.A4, S1.A33] a session is created with its nine module sessions linked to it', async () => {
  const session = await coordinator.createWorkflowSession(['open the shop'], { metadata: { ticket: 7 } });
  const { sessionId } = session;
  expect(sessionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(session).toMatchObject({ metadata: { ticket: 7, steps: ['open the shop'], totalSteps: 1 } });
  const links = coordinator.getLinkedSessions(sessionId);
  expect(Object.keys(links).sort()).toEqual([...MODULE_IDS].sort());
  expect([links['executor'], links['executor-streamer']]).toEqual([session.executorSessionId, session.streamId]);
  expect(new Set(Object.values(links)).size).toBe(9);
  for (const moduleId of MODULE_IDS) {
    expect(managerOf(moduleId).getSession(sessionId)).toMatchObject({
      moduleId,
      sessionId: links[moduleId],
      linkedWorkflowSessionId: sessionId,
      status: INITIALIZING,
    });
    // Creating it again is what a retry after a kill does: it finds what is there.
    expect(await managerOf(moduleId, other).createSession(sessionId)).toBe(links[moduleId]);
  }
  expect(coordinator.listActiveWorkflowSessions()).toContain(sessionId);
});

test('[S1.R2, S1.A16] every module has the standard manager, and its sessions the workflow’s statuses', async () => {
  const sessionId = await aKnownSession();
  expect((await stored(sessionId)).map(({ moduleId }) => moduleId)).toEqual(MODULE_IDS);
  for (const status of [ACTIVE, PAUSED, ACTIVE, COMPLETED]) {
    await setStatus(sessionId, status);
    expect(await statusesOf(sessionId)).toEqual([status]);
    for (const from of [coordinator, other]) {
      await eventually('every module knows it', () =>
        MODULE_IDS.every((moduleId) => managerOf(moduleId, from).getSessionStatus(sessionId) === status),
      );
    }
  }
});

test('[S1.R3] look-ups take the id of the workflow session, and no id of a module session', async () => {
  const sessionId = await aKnownSession();
  for (const moduleId of MODULE_IDS) {
    const manager = managerOf(moduleId);
    const own = manager.getSession(sessionId)!.sessionId;
    expect([manager.sessionExists(sessionId), manager.getSessionStatus(sessionId)]).toEqual([true, INITIALIZING]);
    expect(manager.getLastActivity(sessionId)).toBeInstanceOf(Date);
    expect([manager.getSession(own), manager.sessionExists(own), manager.getSessionStatus(own)]).toEqual([
      null,
      false,
      null,
    ]);
    expect(manager.getLastActivity(own)).toBeNull();
  }
  const nobody = randomUUID();
  const manager = managerOf('task-loop');
  for (const asked of [
    manager.createSession(nobody),
    manager.updateSessionStatus(nobody, ACTIVE),
    manager.recordActivity(nobody),
    coordinator.linkModuleSession(nobody, 'task-loop', 'x'),
    coordinator.validateSessionIntegrity(nobody),
    coordinator.destroyWorkflowSession(nobody),
  ])
    await expect(asked).rejects.toMatchObject({ kind: 'not-found', code: 'CM001' });
  await manager.destroySession(nobody);
  await expect(manager.createSession(sessionId, { timeoutMs: 0 })).rejects.toMatchObject({ code: 'SP001' });
});

test('[S1.R4, S1.A1] destroying a session destroys its module sessions in every process, repeatably', async () => {
  const { kept } = aManager('playbooks');
  const sessionId = await aKnownSession({ isActive: true });
  await coordinator.join(sessionId);
  expect(coordinator.getLinkedSessions(sessionId)['playbooks']).toBe(kept.get(sessionId)?.sessionId);
  await setStatus(sessionId, CANCELLED);
  for (let n = 0; n < 2; n += 1) {
    await coordinator.destroyWorkflowSession(sessionId);
    expect(coordinator.getWorkflowSession(sessionId)).toMatchObject({ status: CLEANUP });
    expect(coordinator.getLinkedSessions(sessionId)).toEqual({});
    expect([await stored(sessionId), kept.size]).toEqual([[], 0]);
  }
  await eventually('the other process knows it', () => !managerOf('executor', other).sessionExists(sessionId));
  expect(await coordinator.validateSessionIntegrity(sessionId)).toMatchObject({ isValid: true, linkedModules: [] });
  await expect(managerOf('executor').createSession(sessionId)).rejects.toMatchObject({ code: 'CM001' });
});

test('[S1.R5] a module is found by the id it was registered under, and an unknown id is null', () => {
  const { manager } = aManager('playbooks');
  expect(coordinator.getModuleSessionManager('playbooks')).toBe(manager);
  expect(() => coordinator.registerModule('playbooks', manager)).toThrow(/registered already/);
  expect(() => coordinator.registerModule('recipes', manager)).toThrow(/of recipes, got the one of playbooks/);
  coordinator.unregisterModule('playbooks');
  expect([coordinator.getModuleSessionManager('playbooks'), coordinator.getModuleSessionManager('')]).toEqual([
    null,
    null,
  ]);
  expect(coordinator.getWorkflowSession(randomUUID())).toBeNull();
});

test('[S1.R6] links are made and taken away one by one, and only to the session that the module has', async () => {
  const sessionId = await aKnownSession();
  const own = managerOf('task-loop').getSession(sessionId)!.sessionId;
  await coordinator.unlinkModuleSession(sessionId, 'task-loop');
  await coordinator.unlinkModuleSession(sessionId, 'task-loop');
  expect(coordinator.getLinkedSessions(sessionId)['task-loop']).toBeUndefined();
  expect(managerOf('task-loop').sessionExists(sessionId)).toBe(true);
  for (const [moduleId, id] of [
    ['task-loop', 'another'],
    ['nobody', own],
  ] as const)
    await expect(coordinator.linkModuleSession(sessionId, moduleId, id)).rejects.toMatchObject({ code: 'SP001' });
  await coordinator.linkModuleSession(sessionId, 'task-loop', own);
  await coordinator.linkModuleSession(sessionId, 'task-loop', own);
  expect(coordinator.getLinkedSessions(sessionId)).toMatchObject({ 'task-loop': own });
  expect(coordinator.getLinkedSessions(randomUUID())).toEqual({});
});

test('[S1.R7] hooks are called for every session, once and in order; one that throws stops nothing', async () => {
  const hookCalls: string[] = [];
  const mine = (session: WorkflowSession) => session.metadata?.['steps']?.[0] === 'hooks';
  const listening = await openCoordinator({ store: await stack.store(), temporal: await stack.temporal(), logger });
  later.push(() => listening.close());
  listening.onWorkflowSessionCreated(() => Promise.reject(new Error('a faulty hook')));
  listening.onWorkflowSessionCreated(async (session) => {
    if (!mine(session)) return;
    hookCalls.push(`created ${session.sessionId}`);
    // Waiting for a call of the coordinator itself must not wait for the hook it is made in.
    await listening.linkModuleSession(
      session.sessionId,
      'executor',
      listening.getModuleSessionManager('executor')!.getSession(session.sessionId)!.sessionId,
    );
    hookCalls.push('linked again');
  });
  const links: string[] = [];
  listening.onModuleSessionLinked(
    async (id, moduleId, moduleSessionId) => void links.push(`${id} ${moduleId} ${moduleSessionId}`),
  );
  listening.onWorkflowSessionDestroyed(async (session) => {
    if (mine(session)) hookCalls.push(`destroyed ${session.status}`);
  });
  const sessionId = await aSession(store, { plan: aPlan({ steps: ['hooks'] }) });
  await eventually('the hook was called', () => hookCalls.includes('linked again'));
  await setStatus(sessionId, FAILED);
  await other.destroyWorkflowSession(sessionId);
  await eventually('the hook of the end was called', () => hookCalls.includes(`destroyed ${CLEANUP}`));
  expect(hookCalls).toEqual([`created ${sessionId}`, 'linked again', `destroyed ${CLEANUP}`]);
  const linked = links.filter((text) => text.startsWith(sessionId)).map((text) => text.split(' ')[1]);
  expect(new Set(linked)).toEqual(new Set(MODULE_IDS));
  expect(linked).toHaveLength(MODULE_IDS.length);
});

test('[S1.7] callbacks of a module are called for its sessions; the same status is no change', async () => {
  const hookCalls: unknown[] = [];
  const listening = await openCoordinator({ store: await stack.store(), temporal: await stack.temporal(), logger });
  later.push(() => listening.close());
  let sessionId = '';
  const note = (id: string, ...facts: unknown[]) => {
    if (id === sessionId) hookCalls.push(facts);
    return Promise.resolve();
  };
  sessionId = randomUUID();
  listening.getModuleSessionManager('executor')!.setLifecycleCallbacks({
    onSessionCreated: (module, id, own) => note(id, 'created', module, own),
    onSessionStatusChanged: (module, id, from, to) => note(id, 'moved', module, from, to),
    onSessionDestroyed: (module, id) => note(id, 'destroyed', module),
    onSessionError: (module, id, error) => note(id, 'error', module, error.code),
  });
  const { row } = await store.sessions.create({ sessionId, workflowId: sessionId, plan: aPlan() });
  await known(sessionId, listening);
  const executor = listening.getModuleSessionManager('executor')!;
  for (const status of [ACTIVE, ACTIVE]) {
    await setStatus(sessionId, status);
    await eventually('it is known', () => executor.getSessionStatus(sessionId) === status);
  }
  const error = {
    id: 'e',
    code: 'EX001',
    message: 'No Chrome.',
    moduleId: 'executor',
    timestamp: new Date(),
    category: 'SYSTEM',
    severity: 'CRITICAL',
    recoverable: false,
    retryable: false,
  };
  await store.log.append(sessionId, [], { patch: { status: FAILED, closed: true, error: error as never } });
  await eventually('it is known', () => executor.getSessionStatus(sessionId) === FAILED);
  await listening.destroyWorkflowSession(sessionId);
  await eventually('the hook of the end was called', () => hookCalls.length >= 5);
  expect(hookCalls).toEqual([
    ['created', 'executor', row.executorSessionId],
    ['moved', 'executor', INITIALIZING, ACTIVE],
    ['moved', 'executor', ACTIVE, FAILED],
    ['error', 'executor', 'EX001'],
    ['destroyed', 'executor'],
  ]);
});

test('[S1.A33] a module that can not join fails the session with SP002, and the others are destroyed', async () => {
  const before = new Set(coordinator.listActiveWorkflowSessions());
  const { kept } = aManager('playbooks');
  aManager('recipes', { createSession: () => Promise.reject(new Error('no recipe book')) });
  const refused = coordinator.createWorkflowSession(['buy']);
  await expect(refused).rejects.toMatchObject({ code: 'SP002', message: expect.stringContaining('no recipe book') });
  const [row] = await sql`select session_id, status, closed, error from sessions order by created_at desc limit 1`;
  const sessionId = row!['session_id'] as string;
  expect(row).toMatchObject({ status: FAILED, closed: true, error: { code: 'SP002', moduleId: 'recipes' } });
  expect((await store.log.read(sessionId, 0, 10)).at(-1)?.type).toBe(StreamEventType.WORKFLOW_FAILED);
  expect([await stored(sessionId), kept.size]).toEqual([[], 0]);
  expect(coordinator.listActiveWorkflowSessions().filter((id) => !before.has(id))).toEqual([]);
  expect(await coordinator.validateSessionIntegrity(sessionId)).toMatchObject({ isValid: true });
});

test('[S1.A29] a session without streaming has no session of the streamer, and misses none', async () => {
  const plan = aPlan({ steps: ['look'], config: { enableStreaming: false } });
  const sessionId = await aKnownSession({ plan });
  expect(managerOf('executor-streamer').getSession(sessionId)).toBeNull();
  const report = await coordinator.validateSessionIntegrity(sessionId);
  expect(report).toMatchObject({ isValid: true, missingLinks: [], recommendations: [] });
  expect(report.linkedModules).toHaveLength(8);
  aManager('playbooks');
  expect(await coordinator.validateSessionIntegrity(sessionId)).toMatchObject({ missingLinks: ['playbooks'] });
});

test('a status and those of the module sessions change together or not at all', async () => {
  const sessionId = await aKnownSession();
  const illegal = store.log.append(sessionId, [aRecord('a')], { patch: { status: PAUSED } });
  await expect(illegal).rejects.toMatchObject({ reason: 'illegal-status' });
  expect(await statusesOf(sessionId)).toEqual([INITIALIZING]);
  const rolledBack = sql.begin(async (tx) => {
    await tx`update sessions set status = ${ACTIVE} where session_id = ${sessionId}`;
    throw new Error('killed before the commit');
  });
  await expect(rolledBack).rejects.toThrow('killed');
  expect(await statusesOf(sessionId)).toEqual([INITIALIZING]);
  expect(managerOf('executor').getSessionStatus(sessionId)).toBe(INITIALIZING);
});

test('[S1.A1] of two processes that end a module session differently one is refused, with the reason', async () => {
  for (let round = 0; round < 5; round += 1) {
    const sessionId = await aKnownSession({ isActive: true });
    const asked = [COMPLETED, FAILED, COMPLETED, CANCELLED];
    const results = await Promise.allSettled(
      asked.map((status, n) =>
        managerOf('executor', n % 2 === 0 ? coordinator : other).updateSessionStatus(sessionId, status),
      ),
    );
    const end = (await stored(sessionId)).find(({ moduleId }) => moduleId === 'executor')!.status;
    const had = asked.filter((_, n) => results[n]?.status === 'fulfilled');
    expect(new Set(had)).toEqual(new Set([end]));
    const refusals = results.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    const illegal = { kind: 'wrong-state', code: 'SP001', message: expect.stringContaining("can't become") };
    expect(refusals).toEqual(asked.filter((status) => status !== end).map(() => expect.objectContaining(illegal)));
    // The session itself is not held up by a module that has gone another way.
    await setStatus(sessionId, COMPLETED);
    expect((await store.sessions.get(sessionId))?.status).toBe(COMPLETED);
  }
});

test('[S1.A1] only destroying the session leads from an open status to CLEANUP', async () => {
  const sessionId = await aKnownSession({ isActive: true });
  const manager = managerOf('task-loop');
  await expect(manager.updateSessionStatus(sessionId, CLEANUP)).rejects.toMatchObject({ code: 'SP001' });
  await manager.updateSessionStatus(sessionId, FAILED);
  await manager.updateSessionStatus(sessionId, CLEANUP);
  expect(manager.getSessionStatus(sessionId)).toBe(CLEANUP);
});

test("the last activity of a module is the session's, or a later one recorded for the module", async () => {
  const sessionId = await aKnownSession();
  const before = new Map(MODULE_IDS.map((moduleId) => [moduleId, managerOf(moduleId).getLastActivity(sessionId)!]));
  const moved = () => MODULE_IDS.filter((id) => managerOf(id).getLastActivity(sessionId)! > before.get(id)!);
  await managerOf('frontend-api').recordActivity(sessionId);
  expect(moved()).toEqual(['frontend-api']);
  expect(managerOf('frontend-api').getSession(sessionId)?.createdAt).toEqual(before.get('frontend-api'));
  await eventually(
    'another process knows it',
    () => managerOf('frontend-api', other).getLastActivity(sessionId)! > before.get('frontend-api')!,
  );
  await store.log.append(sessionId, [
    aRecord('thought', { type: StreamEventType.AI_REASONING, owner: 'task-loop', data: {} }),
  ]);
  await eventually('the append is known', () => moved().length === MODULE_IDS.length);
});

test('[S1.R32, S1.13] the integrity report finds missing links, orphans and statuses that disagree', async () => {
  const sessionId = await aKnownSession({ isActive: true });
  expect(await coordinator.validateSessionIntegrity(sessionId)).toMatchObject({ isValid: true, recommendations: [] });
  const idOf = (moduleId: string) => managerOf(moduleId).getSession(sessionId)!.sessionId;
  const [taskLoop, prompts] = [idOf('task-loop'), idOf('ai-prompt-manager')];
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    const damage = {
      'task-loop': { link: null },
      'ai-prompt-manager': { link: 'gone' },
      'ai-integration': { isDestroyed: true },
      executor: { status: { own: COMPLETED, workflow: ACTIVE } },
      'frontend-api': { status: { own: INITIALIZING, workflow: ACTIVE } },
      'ai-schema-manager': { metadata: 5 },
    };
    await tx`update sessions set module_overrides = ${tx.json(damage)} where session_id = ${sessionId}`;
  });
  const report = await coordinator.validateSessionIntegrity(sessionId);
  expect({
    ...report,
    linkedModules: report.linkedModules.toSorted(),
    missingLinks: report.missingLinks.toSorted(),
  }).toEqual({
    workflowSessionId: sessionId,
    isValid: false,
    linkedModules: ['ai-context-manager', 'executor', 'executor-streamer', 'frontend-api', 'step-processor'],
    missingLinks: ['ai-integration', 'ai-prompt-manager', 'ai-schema-manager', 'task-loop'],
    orphanedSessions: { 'task-loop': taskLoop, 'ai-prompt-manager': prompts },
    inconsistentStatuses: { executor: COMPLETED, 'frontend-api': INITIALIZING },
    recommendations: expect.any(Array),
  });
  expect(report.recommendations.join('\n')).toMatch(
    /ai-integration has no session.*task-loop is not linked.*executor is COMPLETED.*no legal change.*frontend-api is INITIALIZING.*move it along.*ai-schema-manager.*can't be read: metadata/s,
  );
  const ill = await managerOf('task-loop').healthCheck();
  expect(ill.isHealthy).toBe(false);
  expect(ill.errors).toContainEqual(expect.objectContaining({ code: 'CM004', moduleId: 'task-loop', sessionId }));

  // The recommendations of the report fix it.
  await managerOf('ai-integration').createSession(sessionId);
  await managerOf('executor').destroySession(sessionId);
  await managerOf('executor').createSession(sessionId);
  await managerOf('frontend-api').updateSessionStatus(sessionId, ACTIVE);
  await managerOf('ai-schema-manager').destroySession(sessionId);
  await managerOf('ai-schema-manager').createSession(sessionId);
  for (const moduleId of MODULE_IDS) await coordinator.linkModuleSession(sessionId, moduleId, idOf(moduleId));
  expect(await coordinator.validateSessionIntegrity(sessionId)).toMatchObject({ isValid: true, recommendations: [] });
});

test('after the connection that listens was closed everything is read again', async () => {
  const sessionId = await aKnownSession({ isActive: true });
  // Without its triggers the change is announced to nobody: only reading everything again can find it.
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update sessions set status = 'PAUSED' where session_id = ${sessionId}`;
  });
  expect(coordinator.getWorkflowSession(sessionId)?.status).toBe(ACTIVE);
  const cut = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'surefoot' and query ilike 'listen "surefoot_sessions"%'`;
  expect(cut.length).toBeGreaterThanOrEqual(2);
  for (const each of [coordinator, other]) {
    await eventually('it is known', () => each.getWorkflowSession(sessionId)?.status === PAUSED);
    await eventually('its modules too', () => managerOf('executor', each).getSessionStatus(sessionId) === PAUSED);
  }
  await setStatus(sessionId, ACTIVE);
  await eventually('it is heard again', () => coordinator.getWorkflowSession(sessionId)?.status === ACTIVE);
});

test('a connection that is dead without being closed is noticed, and another one listens', async () => {
  const sessionId = await aKnownSession({ isActive: true });
  const frozen = await sql`
    select pid from pg_stat_activity where application_name = 'surefoot' and query ilike 'listen "surefoot_sessions"%'`;
  const pids = frozen.map((row) => row['pid'] as number);
  expect(pids.length).toBeGreaterThanOrEqual(2);
  const signalAll = (signal: NodeJS.Signals): void => {
    for (const pid of pids) process.kill(pid, signal);
  };
  signalAll('SIGSTOP');
  // One that was stopped while it held a lock would hold up the write, and the end of this test, for ever.
  const thawing = setTimeout(() => signalAll('SIGCONT'), 20_000);
  try {
    await setStatus(sessionId, PAUSED);
    clearTimeout(thawing);
    await eventually('it is known', () => coordinator.getWorkflowSession(sessionId)?.status === PAUSED);
  } finally {
    clearTimeout(thawing);
    signalAll('SIGCONT');
  }
  await eventually('nothing is old any more', async () => {
    const { errors } = await managerOf('executor').healthCheck();
    return errors.every(({ code }) => code !== 'CM002');
  });
});

test('[S1.8, S1.12] health says who does each module’s work, counts its sessions and what is wrong', async () => {
  await aKnownSession({ isActive: true });
  const alone = await coordinator.modulesHealth();
  expect(alone.coordinator.registeredModules).toEqual(MODULE_IDS);
  expect(alone.modules.find(({ moduleId }) => moduleId === 'executor')?.errors).toContainEqual(
    expect.objectContaining({ code: 'SP002', message: 'No browser worker runs, so nobody does the work.' }),
  );
  const fresh = await aKnownSession();
  await sql`delete from sessions where session_id <> ${fresh}`;
  const processes = ['step-processor', 'executor', 'frontend-api'].map((moduleId) => ({ id: randomUUID(), moduleId }));
  for (const { id, moduleId } of processes) await store.processes.join(id, partyOf(moduleId));
  const well = await coordinator.getCoordinatorHealth();
  expect(well).toMatchObject({ totalWorkflowSessions: 1, activeWorkflowSessions: 1 });
  expect(well.moduleHealthStatus).toEqual(Object.fromEntries(MODULE_IDS.map((moduleId) => [moduleId, true])));
  expect(await managerOf('executor').healthCheck()).toMatchObject({
    isHealthy: true,
    activeSessions: 1,
    totalSessions: 1,
    errors: [],
  });
  expect(await coordinator.sessionHealth(fresh)).toMatchObject({ sessionId: fresh, isHealthy: true });
  await eventually(
    'those that were removed are gone here too',
    () => coordinator.listActiveWorkflowSessions().length === 1,
  );

  aManager('playbooks', { healthCheck: () => Promise.reject(new Error('out of order')) });
  const { modules, isHealthy } = await coordinator.modulesHealth();
  expect(isHealthy).toBe(false);
  expect(modules.at(-1)).toMatchObject({ moduleId: 'playbooks', isHealthy: false, errors: [{ code: 'CM002' }] });
  for (const { id } of processes) await store.processes.leave(id);
});

test('[S1.8] without its database a module reports that, and the counts it knows', async () => {
  const lonely = await stack.store();
  const cutOff = await openCoordinator({ store: lonely, temporal: await stack.temporal(), logger });
  const sessionId = await aKnownSession();
  await known(sessionId, cutOff);
  await cutOff.close();
  await lonely.close();
  const health = await cutOff.getModuleSessionManager('executor')!.healthCheck();
  expect(health.isHealthy).toBe(false);
  expect(health.errors).toContainEqual(expect.objectContaining({ code: 'CM002' }));
  expect(health.activeSessions).toBeGreaterThanOrEqual(1);
  expect(cutOff.getWorkflowSession(sessionId)?.status).toBe(INITIALIZING);
});
