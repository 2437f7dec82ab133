import { createAdaptorServer } from '@hono/node-server';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApi } from '../../../api/app';
import type { ApiParts } from '../../../api/http/context';
import { createRoutes, type OperationId } from '../../../api/routes';
import { createApiClient, type ApiClient } from '../../../client/http/api-client';
import { ApiError } from '../../../client/http/api-error';
import { SessionStatus } from '../../../contracts/sessions/session';
import { ToolConfirmationOutcome } from '../../../contracts/approvals/confirmation-outcome';
import { endSession, silent, startTestApi, thoughts, type TestApi } from '../../api/fixture';

const TOKEN = 'a-token-of-enough-characters';

let api: TestApi;
let server: Server;
let client: ApiClient;

beforeAll(async () => {
  api = await startTestApi();
  server = createAdaptorServer({ fetch: createApi({ ...api.parts, callers: { token: TOKEN } }).fetch }) as Server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = createApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { token: TOKEN });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await api.stop();
});

test('a session is started, read and controlled by the methods of its operations', async () => {
  const request = { steps: ['open http://127.0.0.1/', 'click "Buy"'] };
  const started = await client.startSession(request, 'order-17');
  expect(started).toMatchObject({ status: SessionStatus.INITIALIZING, isNew: true, totalSteps: 2 });
  expect(await client.startSession(request, 'order-17')).toMatchObject({ sessionId: started.sessionId, isNew: false });

  const { sessionId } = started;
  const { session, links } = await client.showSession(sessionId);
  expect([session.sessionId, links.self]).toEqual([sessionId, `/v1/sessions/${sessionId}`]);
  const { data: listed = [], pagination } = await client.listSessions({ pageSize: 1 });
  expect([listed.length, pagination.pageSize]).toEqual([1, 1]);

  await api.store.log.append(sessionId, thoughts(1, 3));
  const page = await client.sessionEvents(sessionId, { limit: 2 });
  expect([page.data?.length, page.hasMore]).toEqual([2, true]);
  await endSession(api.store, sessionId);
  const refused = await client.pauseSession(sessionId).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ status: 409, code: 'SP001', details: { state: SessionStatus.COMPLETED } });
});

test("a start whose answer is lost is sent again under the client's key, and adds no session", async () => {
  const keys: (string | null)[] = [];
  const losing = createApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    token: TOKEN,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      if (keys.length === 1) throw new TypeError('fetch failed');
      return response;
    },
  });
  const count = async () => (await client.listSessions({ pageSize: 1 })).pagination.total;
  const before = await count();
  expect(await losing.startSession({ steps: ['look'] })).toMatchObject({ isNew: false });
  expect(keys).toEqual([expect.any(String), keys[0]]);
  expect(await count()).toBe(before + 1);
});

test('a browser is paired, registered, rotated by its own token, listed and revoked', async () => {
  const { pairing_token } = await client.pairBrowser({ label: 'my laptop' });
  const registered = await client.registerBrowser({ pairing_token });
  const { browser_session_id: id } = await client.rotateBrowserToken(registered.session_token);
  expect(await client.listBrowserSessions()).toMatchObject([{ browser_session_id: id }]);
  expect(await client.revokeBrowserSession(id)).toEqual({ revoked: true });
  await expect(client.registerBrowser({ pairing_token })).rejects.toMatchObject({ status: 401, code: 'FA002' });
});

test('an answer that is no envelope is an error with its status', async () => {
  const fetch = () => Promise.resolve(new Response('<html>Bad gateway</html>', { status: 502 }));
  const behindProxy = createApiClient('http://api.test', { fetch });
  await expect(behindProxy.health()).rejects.toMatchObject({ name: 'ApiError', status: 502, code: undefined });
});

const TAKEOVER = '0198c1f0-5f3e-7c1a-9d20-2b1c8f1e7a01';

/** Each operation as a caller asks for it. */
const CALLS: Record<OperationId, (client: ApiClient) => Promise<unknown>> = {
  forkSession: (to) => to.forkSession('a/b', { fromStep: 2 }),
  startSession: (to) => to.startSession({ steps: ['open http://127.0.0.1/'] }),
  checkSteps: (to) => to.checkSteps({ steps: ['open http://127.0.0.1/'] }, { session: 'a/b' }),
  listSessions: (to) => to.listSessions(),
  showSession: (to) => to.showSession('a/b'),
  eraseSession: (to) => to.eraseSession('a/b'),
  sessionHealth: (to) => to.sessionHealth('a/b'),
  pauseSession: (to) => to.pauseSession('a/b'),
  resumeSession: (to) => to.resumeSession('a/b'),
  cancelSession: (to) => to.cancelSession('a/b'),
  closeSession: (to) => to.closeSession('a/b'),
  cancelTurn: (to) => to.cancelTurn('a/b'),
  cancelCall: (to) => to.cancelCall('a/b', 'call'),
  resolveUnknown: (to) => to.resolveUnknown('a/b', { commandId: 'c', happened: true }),
  answerSecret: (to) => to.answerSecret('a/b', { value: '123456' }),
  resolveBudget: (to) => to.resolveBudget('a/b', { decision: 'end' }),
  addSteps: (to) => to.addSteps('a/b', { steps: ['click "Buy"'] }),
  listMessages: (to) => to.listMessages('a/b'),
  showMessage: (to) => to.showMessage('a/b', 'order'),
  listApprovals: (to) => to.listApprovals(),
  showApproval: (to) => to.showApproval('approval'),
  decideApproval: (to) => to.decideApproval('approval', { outcome: ToolConfirmationOutcome.ProceedOnce }),
  revokeApproval: (to) => to.revokeApproval('a/b'),
  approveSession: (to) => to.approveSession('a/b'),
  rejectSession: (to) => to.rejectSession('a/b', { reason: 'too dear' }),
  sessionEvents: (to) => to.sessionEvents('a/b'),
  showCommand: (to) => to.showCommand('a/b', 'command'),
  showResult: (to) => to.showResult('a/b', { step: 0 }),
  showLiveView: (to) => to.showLiveView('a/b', { after: 1 }),
  takeOver: (to) => to.takeOver('a/b', { takeoverId: TAKEOVER }),
  showTakeover: (to) => to.showTakeover('a/b'),
  takeoverInput: (to) =>
    to.takeoverInput('a/b', { takeoverId: TAKEOVER, acts: [{ number: 1, act: { kind: 'text', text: 'a' } }] }),
  handBack: (to) => to.handBack('a/b', { takeoverId: TAKEOVER }),
  listScreenshots: (to) => to.listScreenshots('a/b'),
  showScreenshot: (to) => to.showScreenshot('a/b', 'screenshot'),
  showThumbnail: (to) => to.showThumbnail('a/b', 'screenshot'),
  listFiles: (to) => to.listFiles('a/b'),
  showFile: (to) => to.showFile('a/b', 'file'),
  uploadFile: (to) => to.uploadFile(new File(['1'], 'a.txt')),
  showUploadedFile: (to) => to.showUploadedFile('file'),
  deleteUploadedFile: (to) => to.deleteUploadedFile('file'),
  listRecipes: (to) => to.listRecipes(),
  exportRecipes: (to) => to.exportRecipes(['one', 'two'], 'steps'),
  importRecipes: (to) => to.importRecipes({ text: '{}' }),
  showRecipe: (to) => to.showRecipe('recipe'),
  listRecipeVersions: (to) => to.listRecipeVersions('recipe'),
  promoteRecipe: (to) => to.promoteRecipe('recipe', { version: 2 }),
  forgetRecipe: (to) => to.forgetRecipe('recipe'),
  listEffects: (to) => to.listEffects({ state: 'unknown' }),
  showEffect: (to) => to.showEffect(17),
  listProfiles: (to) => to.listProfiles({ tenant: 'default' }),
  showProfile: (to) => to.showProfile('acme-admin'),
  forgetProfile: (to) => to.forgetProfile('acme-admin', { tenant: 'default' }),
  exportProfile: (to) => to.exportProfile('acme-admin'),
  importProfile: (to) => to.importProfile('acme-admin', { cookies: [], origins: [] }),
  restoreProfile: (to) => to.restoreProfile('acme-admin', 3),
  createSchedule: (to) =>
    to.createSchedule({ id: 'nightly', cron: '0 3 * * *', request: { steps: ['open http://127.0.0.1/'] } }),
  listSchedules: (to) => to.listSchedules({ tenant: 'default' }),
  showSchedule: (to) => to.showSchedule('nightly'),
  updateSchedule: (to) => to.updateSchedule('nightly', { cron: '0 4 * * *' }),
  deleteSchedule: (to) => to.deleteSchedule('nightly'),
  pauseSchedule: (to) => to.pauseSchedule('nightly', { note: 'the site is down' }),
  resumeSchedule: (to) => to.resumeSchedule('nightly'),
  triggerSchedule: (to) => to.triggerSchedule('nightly'),
  backfillSchedule: (to) =>
    to.backfillSchedule('nightly', { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }),
  startBatch: (to) => to.startBatch({ rows: [{ a: 'b' }], request: { steps: ['open http://127.0.0.1/'] } }),
  listBatches: (to) => to.listBatches({ tenant: 'default' }),
  showBatch: (to) => to.showBatch('may'),
  listBatchRows: (to) => to.listBatchRows('may', { state: 'failed', after: 3 }),
  showBatchResults: (to) => to.showBatchResults('may', { format: 'jsonl' }),
  pauseBatch: (to) => to.pauseBatch('may'),
  resumeBatch: (to) => to.resumeBatch('may'),
  cancelBatch: (to) => to.cancelBatch('may'),
  retryBatch: (to) => to.retryBatch('may'),
  settleEffect: (to) => to.settleEffect(17, { state: 'released', reason: 'the bank has sent it back' }),
  showSignIn: (to) => to.showSignIn(),
  signIn: (to) => to.signIn({ key: TOKEN }),
  signOut: (to) => to.signOut(),
  listVariables: (to) => to.listVariables('a/b'),
  showLoopResult: (to) => to.showLoopResult('a/b'),
  showReport: (to) => to.showReport('a/b'),
  listModelCalls: (to) => to.listModelCalls('a/b'),
  pairBrowser: (to) => to.pairBrowser(),
  registerBrowser: (to) => to.registerBrowser({ pairing_token: 'token' }),
  rotateBrowserToken: (to) => to.rotateBrowserToken('token'),
  listBrowserSessions: (to) => to.listBrowserSessions(),
  revokeBrowserSession: (to) => to.revokeBrowserSession('browser'),
  health: (to) => to.health(),
  modulesHealth: (to) => to.modulesHealth(),
  showOperations: (to) => to.showOperations(),
};

const noParts = { sessions: {}, logger: silent } as unknown as ApiParts;

test.each(createRoutes(noParts).map(({ route }) => route))(
  'the client sends $operationId to $method $path',
  async ({ operationId, method, path }) => {
    const sent: string[] = [];
    const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      sent.push(`${init?.method ?? 'GET'} ${pathname}`);
      return Response.json({ success: true, data: {} });
    };
    await CALLS[operationId](createApiClient('http://api.test', { fetch }));
    const pattern = path.replace(/\{\w+\}/g, '[^/]+');
    expect(sent).toEqual([expect.stringMatching(new RegExp(`^${method.toUpperCase()} ${pattern}$`))]);
  },
);

test('an operation without its method, or a method without its operation, does not compile', () => {
  type Methods = Record<OperationId, (...args: never[]) => Promise<unknown>>;
  const { health: _health, ...others } = client;
  expect(Object.keys(client).sort()).toEqual(Object.keys(CALLS).sort());
  // @ts-expect-error -- health is missing.
  others satisfies Methods;
  // @ts-expect-error -- no route has this operation.
  ({ ...client, reboot: client.health }) satisfies Methods;
  client satisfies Methods;
  // @ts-expect-error -- the body of the route has no such member.
  void ((to: ApiClient) => to.resolveBudget('id', { decision: 'perhaps' }));
  // @ts-expect-error -- the answer of the route has no such member.
  void ((to: ApiClient) => to.showSession('id').then(({ sessions }) => sessions));
});

test('a request above a limit is sent again after the time that the answer names', async () => {
  const sent: string[] = [];
  const limited = createApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    token: TOKEN,
    fetch: async (input, init) => {
      sent.push(`${init?.method ?? 'GET'} ${new Headers(init?.headers).get('idempotency-key') ?? ''}`.trim());
      const isRefused = sent.length % 3 !== 0;
      return isRefused ? new Response('', { status: 429, headers: { 'retry-after': '0' } }) : await fetch(input, init);
    },
  });
  const { sessionId } = await limited.startSession({ steps: ['open http://127.0.0.1/'] }, 'order-429');
  expect((await limited.showSession(sessionId)).session.sessionId).toBe(sessionId);
  expect(sent).toEqual(['POST order-429', 'POST order-429', 'POST order-429', 'GET', 'GET', 'GET']);
});

test('a caller who gives up waiting for room gets the refusal', async () => {
  const full = createApiClient('http://127.0.0.1:1', {
    fetch: async () => new Response('', { status: 429, headers: { 'retry-after': '0' } }),
  });
  const refused = await full.listSessions().catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 429 });
});

test('a session is found by any beginning of its id that no other has, and erased by the whole id alone', async () => {
  const { sessionId } = await client.startSession({ steps: ['open http://127.0.0.1/'] });
  const shown = async (id: string): Promise<string> => (await client.showSession(id)).session.sessionId;
  for (const length of [35, 24, 19, 14, 12, 9]) expect(await shown(sessionId.slice(0, length))).toBe(sessionId);
  expect(await shown(sessionId.slice(0, 12).toUpperCase())).toBe(sessionId);
  const firsts = new Set<string>();
  let twin: string | undefined;
  // Of 17 ids two begin with the same digit.
  while (twin === undefined) {
    const { sessionId: other } = await client.startSession({ steps: ['open http://127.0.0.1/'] });
    twin = firsts.has(other[0]!) ? other[0] : undefined;
    firsts.add(other[0]!);
  }
  await expect(shown(twin)).rejects.toThrow(`Several sessions begin with ${twin}. Give more of the id.`);
  await expect(shown('zzzz')).rejects.toThrow('There is no session zzzz.');
  await endSession(api.store, sessionId);
  await expect(client.eraseSession(sessionId.slice(0, 12))).rejects.toThrow('Give the whole id.');
});
