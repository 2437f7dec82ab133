/**
 * The demo as one task in mode default: Place order waits for a person. Everything is killed while it waits; the answer
 * comes when all of it is back, and exactly one order is placed.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logOrderProblems } from '../../bench/log-checks/log-order';
import type { SessionDetails } from '../../service/port/port';
import type { PendingQuestion } from '../../contracts/approvals/approval';
import { AgentEventType } from '../../contracts/agents/agent-event';
import { type FormatName } from '../../contracts/events/formats/formats';
import { isOpen } from '../../contracts/sessions/session';
import { ToolConfirmationOutcome } from '../../contracts/approvals/confirmation-outcome';
import { runCli, type CliResult } from '../cli/cli-process';
import { eventually } from '../support/eventually';
import { startModelServer, vertexAt, type ModelServer } from '../support/model-server/server';
import { startSite, type TestSite } from '../support/sites';
import { decide as decideInProcess } from '../support/until-taken';
import {
  ONE_OF_EACH,
  demoRequest,
  endOf,
  orEndOfLog,
  SHOP_PASSWORD,
  startWholeStack,
  type WholeStack,
} from '../support/whole-stack';

let stack: WholeStack;
let model: ModelServer;
let site: TestSite;
let other: TestSite;
const pages: Record<string, string> = {};
const folder = mkdtempSync(join(tmpdir(), 'surefoot-lines-'));
const linesFile = join(folder, 'lines');

beforeAll(async () => {
  [model, site, other] = await Promise.all([startModelServer(), startSite(pages), startSite(pages)]);
  stack = await startWholeStack(
    {
      ...vertexAt(model),
      SUREFOOT_MODEL: 'rules',
      SUREFOOT_TOOLS: join(__dirname, '..', 'support', 'line-tool.js'),
      LINES_FILE: linesFile,
    },
    ONE_OF_EACH,
  );
}, 240_000);
afterAll(async () => {
  await stack.stop();
  await model.stop();
  for (const each of [site, other]) each.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

beforeEach(() => {
  for (const each of [site, other]) each.asked.length = 0;
});

interface Answer {
  status: number;
  isReplayed: boolean;
  // The API as a client without our types sees it.
  body: { data?: unknown; error?: { message: string; details?: { state?: string; issues?: { path: string }[] } } };
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await fetch(`${stack.api}/v1/${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const isReplayed = answer.headers.get('idempotency-replayed') === 'true';
  return { status: answer.status, isReplayed, body: (await answer.json()) as Answer['body'] };
}

function cli(...args: string[]): Promise<CliResult> {
  const { home, databaseUrl, temporalAddress } = stack;
  const env = { SUREFOOT_HOME: home, DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress, SHOP_PASSWORD };
  return runCli(args, { env });
}

type Asked = Extract<PendingQuestion, { kind: 'approval' }>;

/** The demo's steps as one task; what is asked before Place order is approved. Resolves when that is asked. */
async function waiting(): Promise<{ run: string; sessionId: string; asked: Asked }> {
  const run = randomUUID();
  const request = demoRequest(stack, run);
  const task = (request.steps as string[]).join('\n').replaceAll('${shop}', stack.shop);
  const { sessionId } = await stack.client.start({ ...request, steps: [{ task }] });
  const asked = await eventually(
    'the question about Place order',
    async () => {
      const { error } = await stack.client.get(sessionId);
      if (error !== null) throw new Error(error.message);
      const [open] = (await stack.client.approvals(sessionId)) as Asked[];
      if (open === undefined || open.card.title.includes('Place order')) return open;
      await decideInProcess(stack, open, { outcome: ToolConfirmationOutcome.ProceedOnce });
      await eventually('it is answered', async () => {
        const left = (await stack.client.approvals(sessionId)) as Asked[];
        return left.every(({ approvalId }) => approvalId !== open.approvalId);
      });
      return undefined;
    },
    60_000,
  );
  return { run, sessionId, asked };
}

test('[S3.A8] a waiting call is shown everywhere and runs once when approved; another answer is 409', async () => {
  const { run, sessionId, asked } = await waiting();
  expect(asked).toMatchObject({ status: 'pending', classification: 'destructive', sessionId });
  expect(JSON.stringify(asked)).not.toContain(SHOP_PASSWORD);
  expect(await stack.orders(run)).toEqual([]);
  const listed = await call('GET', 'approvals');
  expect(listed.body.data).toEqual([expect.objectContaining({ approvalId: asked.approvalId, kind: 'approval' })]);
  expect((await call('GET', `sessions/${sessionId}`)).body.data).toMatchObject({
    session: { status: 'PAUSED' },
    approvals: [{ approvalId: asked.approvalId }],
  });
  const shown = await cli('show', sessionId);
  expect(shown.stdout).toContain(`surefoot approve ${asked.approvalId}`);
  expect((await cli('approvals')).stdout).toContain(asked.approvalId);

  const path = `approvals/${asked.approvalId}/decision`;
  expect((await call('POST', 'approvals/appr_nobody/decision', { outcome: 'cancel' })).status).toBe(404);
  expect((await call('POST', path, { outcome: 'perhaps' })).status).toBe(400);
  expect((await call('POST', path, { outcome: 'proceed_once', args: {} })).status).toBe(400);
  const key = { 'idempotency-key': randomUUID() };
  const answers = await Promise.all([
    call('POST', path, { outcome: 'proceed_once' }, key),
    call('POST', path, { outcome: 'proceed_once' }, key),
  ]);
  expect(answers.map(({ status, isReplayed }) => `${status} ${isReplayed}`).sort()).toEqual(['202 false', '202 true']);
  const another = await call('POST', path, { outcome: 'cancel' });
  expect([another.status, another.body.error?.message]).toEqual([
    409,
    expect.stringMatching(/given this answer|it is approved/),
  ]);
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect((await call('POST', path, { outcome: 'cancel' })).status).toBe(409);
  expect((await call('POST', path, { outcome: 'cancel' }, key)).status).toBe(422);
  expect(await call('POST', path, { outcome: 'proceed_once' }, key)).toMatchObject({ status: 202, isReplayed: true });
  expect(await stack.orders(run)).toHaveLength(1);
  const log = await stack.logOf(sessionId);
  expect(logOrderProblems(log)).toEqual([]);
  const kinds = log.flatMap(({ facts }) =>
    facts !== undefined && 'callId' in facts ? [`${facts.kind} ${facts.callId}`] : [],
  );
  const own = kinds.filter((each) => each.endsWith(asked.callId));
  expect(own.filter((each) => !each.startsWith('function-call'))).toEqual([
    `approval ${asked.callId}`,
    `call ${asked.callId}`,
    `result ${asked.callId}`,
  ]);
});

test("rejected on the command line, the order is never placed, and the model's own words end the task", async () => {
  const { run, sessionId, asked } = await waiting();
  const rejected = await cli('reject', sessionId.slice(0, 8), '--reason', 'too dear');
  expect([rejected.exitCode, rejected.stdout]).toEqual([0, expect.stringContaining('goes on without the call')]);
  expect((await cli('approve', asked.approvalId)).exitCode).toBe(2);
  await endOf(stack, sessionId);
  expect(await stack.orders(run)).toEqual([]);
  const log = await stack.logOf(sessionId);
  const result = log.find(({ facts }) => facts?.kind === 'result' && facts.callId === asked.callId);
  expect(result?.facts).toMatchObject({ isUnrun: true, summary: 'rejected by user: too dear' });
  expect((await cli('show', sessionId)).stdout).toMatch(
    /A person rejected it; change the task .* Their reason: too dear/,
  );
});

test('a conversation keeps request, answer and the message it waits for; all count its turns alike', async () => {
  pages['/bin'] = `<button onclick="fetch('/emptied', { method: 'POST' })">Delete all</button>`;
  const config = { agent: { stayOpen: true } };
  const first = { task: `Open ${site.url}/bin` };
  const started = await call('POST', 'sessions', { steps: [first], config });
  const { sessionId } = started.body.data as { sessionId: string };
  const shown = async () => (await call('GET', `sessions/${sessionId}`)).body.data as SessionDetails;
  const isIdle = async () => ((await shown()).waitingFor === null ? undefined : await shown());
  expect(await eventually('it is idle', isIdle)).toMatchObject({
    session: { status: 'ACTIVE' },
    request: { steps: [first], config },
    waitingFor: {
      pausedFor: 'message',
      message: expect.stringContaining('waits for the next message'),
      answerWith: { rest: expect.stringContaining(`/v1/sessions/${sessionId}/steps`) },
    },
  });
  const second = { task: 'Click "Delete all". Expect to see "Delete all"' };
  expect((await call('POST', `sessions/${sessionId}/steps`, { steps: [second] })).status).toBe(202);
  const asked = await question(sessionId);
  expect(await shown()).toMatchObject({ waitingFor: null, approvals: [{ turn: asked.turn }] });
  await decide(asked, { outcome: 'proceed_once' });
  const { answer, request } = await eventually('it is idle again', isIdle);
  expect(request.steps).toEqual([first, second]);
  expect(answer).toMatch(/^All that was asked is done/);
  expect((await cli('show', sessionId)).stdout.trimEnd().endsWith(answer!)).toBe(true);
  await call('POST', `sessions/${sessionId}/close`);
  await endOf(stack, sessionId);
  expect(posts(site)).toEqual(['POST /emptied ']);

  const frames = async (format: FormatName) =>
    (await call('GET', `sessions/${sessionId}/events?format=${format}&limit=1000`)).body.data as {
      type?: string;
      data?: Record<string, unknown>;
    }[];
  const confirmation = (await frames('agent')).find(({ type }) => type === AgentEventType.ToolConfirmation);
  expect(confirmation!.data).toMatchObject({ approvalId: asked.approvalId, turn: asked.turn });
  // Turns are counted over all tasks of a session.
  const execution = await frames('execution');
  const begun = execution.findIndex(({ type }) => type === 'approval_required');
  const completed = execution.slice(begun).find(({ type }) => type === 'iteration_complete');
  expect(completed!.data).toMatchObject({ iteration: asked.turn });
  expect(asked.turn).toBeGreaterThan(1);
});

const posts = ({ asked }: TestSite) => asked.filter((each) => each.startsWith('POST'));

/** The only question of a session, once there is one; a session that ends without one has failed the test. */
async function question(sessionId: string): Promise<Asked> {
  const asking = eventually('a question', async () => {
    const asked = (await stack.client.approvals(sessionId)) as Asked[];
    if (asked.length === 1) return asked[0];
    const { session, error } = await stack.client.get(sessionId);
    if (!isOpen(session.status)) throw new Error(`It is ${session.status}: ${error?.message ?? 'nothing was asked'}`);
    return undefined;
  });
  return await orEndOfLog(stack, sessionId, asking);
}

async function decide({ approvalId, sessionId }: Asked, answer: object): Promise<void> {
  const give = async () => (await call('POST', `approvals/${approvalId}/decision`, answer)).status;
  const isIn = async () =>
    ((await stack.client.approvals(sessionId)) as Asked[]).every((each) => each.approvalId !== approvalId);
  const status = await give();
  expect([202, 503]).toContain(status);
  await eventually(`the answer to ${approvalId} is in`, async () => {
    // No worker answered in time (503), which does not say that none has heard it.
    if (status === 503 && !(await isIn())) await give();
    return await isIn();
  });
}
