/**
 * What operators do for privacy, on the whole product: payloads in Temporal are encrypted and read by its UI through the
 * codec endpoint, and an ended session is erased.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createApiClient, type ApiClient } from '../../client/http/api-client';
import { runCli } from '../cli/cli-process';
import { everyRow } from '../support/every-row';
import { eventually } from '../support/eventually';
import { ONE_OF_EACH, endOf, startWholeStack, type WholeStack } from '../support/whole-stack';

const TOKEN = randomBytes(16).toString('hex');
const UI = 'https://temporal.example';
/** Stands in a step, and so in the error of the step that fails. */
const WORD = 'Zanzibar';
let stack: WholeStack;
let api: ApiClient;

beforeAll(async () => {
  stack = await startWholeStack(
    {
      SUREFOOT_PAYLOAD_KEYS: `2026-11=${randomBytes(32).toString('hex')}`,
      SUREFOOT_API_TOKEN: TOKEN,
      SUREFOOT_CODEC_ORIGINS: UI,
    },
    ONE_OF_EACH,
  );
  api = createApiClient(stack.api, { token: TOKEN });
}, 240_000);
afterAll(() => stack.stop(), 60_000);

const bytesOfTemporal = (): string => {
  const folder = join(stack.home, 'temporal');
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');
};

const decode = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${stack.api}/codec/decode`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${TOKEN}`, ...headers },
    body: JSON.stringify(body),
  });

it('with SUREFOOT_PAYLOAD_KEYS Temporal keeps no words of a user; its UI reads them by /codec', async () => {
  const steps = [`open ${stack.shop}`, `check that "${WORD}" is shown`];
  const { sessionId } = await api.startSession({ steps });
  expect(await endOf(stack, sessionId, 60_000)).toBe('FAILED');
  expect((await api.showSession(sessionId)).error?.message).toContain(WORD);
  const bytes = bytesOfTemporal();
  expect(bytes).toContain(sessionId);
  expect(bytes).not.toContain(WORD);

  const { events } = await stack.engineTemporal.workflow.getHandle(sessionId).fetchHistory();
  const payloads = events!.flatMap(
    ({ workflowExecutionStartedEventAttributes: started }) => started?.input?.payloads ?? [],
  );
  const asJson = payloads.map(({ metadata, data }) => ({
    metadata: Object.fromEntries(
      Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
    ),
    data: Buffer.from(data ?? []).toString('base64'),
  }));
  const answer = await decode({ payloads: asJson }, { Origin: UI, 'X-Namespace': 'default' });
  expect(answer.headers.get('access-control-allow-origin')).toBe(UI);
  const decoded = (await answer.json()) as { payloads: { data: string }[] };
  expect(Buffer.from(decoded.payloads[0]!.data, 'base64').toString()).toContain(WORD);

  expect((await decode({ payloads: asJson }, { Authorization: '' })).status).toBe(401);
  expect((await decode({ payloads: asJson }, { Origin: 'https://evil.example' })).status).toBe(403);
  const changed = [{ ...asJson[0]!, data: Buffer.from('changed').toString('base64') }];
  expect((await decode({ payloads: changed })).status).toBe(400);
}, 120_000);

it('DELETE erases an ended session, also in Temporal, says what is left, and refuses an open one', async () => {
  const { sessionId } = await api.startSession({ steps: [`open ${stack.shop}`] });
  expect(await endOf(stack, sessionId, 60_000)).toBe('COMPLETED');
  const open = await api.startSession({ steps: [`open ${stack.shop}`], config: { agent: { stayOpen: true } } });
  await expect(api.eraseSession(open.sessionId)).rejects.toMatchObject({ status: 409 });

  // The row of the lease goes a moment after the end of the session.
  const report = await eventually('the session is erased', () => api.eraseSession(sessionId).catch(() => undefined));
  expect(report).toMatchObject({ sessionId, temporalRuns: 1 });
  expect(report.erased['events']).toBeGreaterThan(3);
  expect(report.erased['files']).toBeGreaterThan(0);
  expect(report.left).toContainEqual(expect.stringContaining('Backups'));
  expect((await everyRow(stack.databaseUrl)).filter((row) => row.includes(sessionId))).toEqual([]);
  expect(existsSync(join(stack.home, 'artifacts', sessionId))).toBe(false);
  const isGone = (error: unknown): boolean => (error as Error).name === 'WorkflowNotFoundError';
  const handle = stack.engineTemporal.workflow.getHandle(sessionId);
  await eventually('Temporal has forgotten the workflow', () => handle.describe().then(() => false, isGone));
  await expect(api.eraseSession(sessionId)).rejects.toMatchObject({ status: 404 });

  await api.cancelSession(open.sessionId);
  await endOf(stack, open.sessionId, 30_000);
  const erasing = await eventually('the command has an answer', async () => {
    const result = await runCli(['erase', open.sessionId], { env: { SUREFOOT_HOME: stack.home } });
    return result.stderr.includes('while its browser ends') ? undefined : result;
  });
  expect(erasing).toMatchObject({
    stderr: '',
    exitCode: 0,
    stdout: expect.stringContaining('is erased. What may be left:'),
  });
  await expect(api.showSession(open.sessionId)).rejects.toMatchObject({ status: 404 });
}, 120_000);
