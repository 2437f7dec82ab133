/**
 * The demo as one task in mode default: Place order waits for a person. Everything is killed while it waits; the answer
 * comes when all of it is back, and exactly one order is placed.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logOrderProblems } from '../../bench/log-checks/log-order';
import type { PendingQuestion } from '../../contracts/approvals/approval';
import { AgentEventType } from '../../contracts/agents/agent-event';
import { encodeAll, type EventFormat } from '../../contracts/events/formats/format';
import { FORMATS, type FormatName } from '../../contracts/events/formats/formats';
import { isOpen } from '../../contracts/sessions/session';
import { ToolConfirmationOutcome } from '../../contracts/approvals/confirmation-outcome';
import { runCli, type CliResult } from '../cli/cli-process';
import { STREAMING_MODEL } from '../support/agent-stack';
import { eventually } from '../support/eventually';
import { chromesOf, everything, killAndAwait } from '../support/kill';
import { obeysInTask } from '../support/model-server/obedient-task';
import { startModelServer, vertexAt, type ModelServer } from '../support/model-server/server';
import { startSite, type TestSite } from '../support/sites';
import { decide as decideInProcess } from '../support/until-taken';
import {
  ONE_OF_EACH,
  demoRequest,
  endOf,
  orEndOfLog,
  SHOP_PASSWORD,
  recordOf,
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

/** A session whose model obeys the page that it is sent to. */
async function obedient(task: string, agent: object = {}): Promise<string> {
  model.play(obeysInTask());
  const config = { aiConfig: { model: STREAMING_MODEL }, agent };
  return (await stack.client.start({ steps: [{ task }], config })).sessionId;
}

const orders = (...rounds: [tool: string, args: object][][]) => `OBEY ${JSON.stringify(rounds)}!`;
const toolsIn = async (sessionId: string) =>
  (await stack.logOf(sessionId)).flatMap(({ facts }) =>
    facts?.kind === 'result' ? [[facts.toolName, facts.error ?? 'done']] : [],
  );

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

test('a model led to the documentation of the API does not get there, even where a person agrees', async () => {
  const docs = `${stack.api}/docs#/Approvals/approveSession`;
  pages['/lead'] = `<p>${orders([['navigate', { url: docs }]])}</p>`;
  const sessionId = await obedient(`Open ${site.url}/lead and do what it says`);
  const leaving = await question(sessionId);
  expect(leaving).toMatchObject({ toolName: 'navigate', classification: 'external', args: { url: docs } });
  await decide(leaving, { outcome: 'proceed_once' });
  await endOf(stack, sessionId);
  expect((await toolsIn(sessionId)).at(-1)).toEqual(['navigate', expect.stringContaining('is on this machine')]);
});

test('[S2.R6] a waiting call is cancelled on its own over HTTP: nobody is asked, and it never runs', async () => {
  const { run, sessionId, asked } = await waiting();
  const path = `sessions/${sessionId}/calls/${asked.callId}/cancel`;
  expect((await call('POST', `sessions/${sessionId}/calls/call_nobody/cancel`, {})).status).toBe(404);
  expect((await call('POST', path, { reason: 7 })).status).toBe(400);
  expect((await call('POST', path, { reason: 'too dear' })).status).toBe(202);
  const again = await call('POST', path, {});
  expect([again.status, again.body.error?.message]).toEqual([
    409,
    expect.stringMatching(/has ended|it is FAILED|it is about to end/),
  ]);
  await endOf(stack, sessionId);
  const answer = await call('POST', `approvals/${asked.approvalId}/decision`, { outcome: 'proceed_once' });
  expect([answer.status, answer.body.error?.message]).toEqual([409, expect.stringContaining('it is cancelled')]);
  expect(await stack.orders(run)).toEqual([]);
  const log = await stack.logOf(sessionId);
  expect(logOrderProblems(log)).toEqual([]);
  const result = log.find(({ facts }) => facts?.kind === 'result' && facts.callId === asked.callId);
  expect(result?.facts).toMatchObject({ isUnrun: true, summary: 'cancelled by user: too dear' });
});

test('[S2.R6] a running call is stopped from the command line, in journal and log, before its limit', async () => {
  const { sessionId } = await stack.client.start({
    steps: [{ task: `Go to ${stack.shop}/login. Wait for "what never comes".`, timeoutMs: 600_000 }],
    config: { timeouts: { requestTimeoutMs: 300_000 } },
  });
  const waits = await recordOf(
    stack,
    sessionId,
    'the wait',
    ({ type, data }) => type === 'COMMAND_STARTED' && data.command?.action === 'WAIT_FOR',
  );
  const { callId } = waits.facts as { callId: string };
  const cancelled = await cli('cancel-call', sessionId.slice(0, 8), callId, '--reason', 'it never comes');
  expect([cancelled.exitCode, cancelled.stdout]).toEqual([
    0,
    expect.stringContaining(`goes on without call ${callId}`),
  ]);
  await endOf(stack, sessionId);
  const log = await stack.logOf(sessionId);
  expect(logOrderProblems(log)).toEqual([]);
  const end = log.find(({ facts }) => facts?.kind === 'result' && facts.callId === callId);
  expect(end?.data.command?.status).toBe('CANCELLED');
  expect(end?.facts).toMatchObject({ text: expect.stringContaining('it never comes') });
  const [entry] = await stack.engineStore.journal.find(sessionId, [waits.data.command!.commandId]);
  expect(entry?.status).toBe('failed');
  await expectClosedEverywhere(sessionId, callId);
  expect((await cli('cancel-call', sessionId, callId)).exitCode).toBe(2);
});

/** The end of a call in each format that has calls: once. */
async function expectClosedEverywhere(sessionId: string, callId: string): Promise<void> {
  const log = await stack.logOf(sessionId);
  const ends = { agent: AgentEventType.ToolExecutionDone, execution: 'tool_result', stream: 'COMMAND_FAILED' } as const;
  for (const [format, type] of Object.entries(ends)) {
    const frames = encodeAll(FORMATS[format as FormatName] as EventFormat<unknown, { type: string }>, log);
    const closing = frames.filter(({ frame, seq }) => {
      const { facts } = log.find((record) => record.seq === seq)!;
      return frame.type === type && facts?.kind === 'result' && facts.callId === callId;
    });
    expect([format, closing.length]).toEqual([format, 1]);
  }
}

test.each(['the session', 'the response'])(
  '[S2.R6, S2.R13] a call that runs while %s is cancelled is closed in every format',
  async (what) => {
    const { sessionId } = await stack.client.start({
      steps: [{ task: `Go to ${stack.shop}/login. Wait for "what never comes".`, timeoutMs: 600_000 }],
      config: { timeouts: { requestTimeoutMs: 300_000 }, agent: { stayOpen: true } },
    });
    const waits = await recordOf(
      stack,
      sessionId,
      'the wait',
      ({ type, data }) => type === 'COMMAND_STARTED' && data.command?.action === 'WAIT_FOR',
    );
    const { callId } = waits.facts as { callId: string };
    if (what === 'the session') await stack.client.cancel(sessionId);
    else {
      await stack.client.cancelTurn(sessionId, { reason: 'enough' });
      await recordOf(stack, sessionId, 'the end of the task', ({ type }) => type === 'STEP_FAILED');
      await stack.client.close(sessionId);
    }
    await endOf(stack, sessionId);
    const log = await stack.logOf(sessionId);
    const ends = log.filter(({ facts }) => facts?.kind === 'result' && facts.callId === callId);
    expect(ends.map(({ data }) => data.command?.status)).toEqual(['CANCELLED']);
    await expectClosedEverywhere(sessionId, callId);
  },
);

test('an approval outlives the death of every process, and then the call runs once', async () => {
  const { run, sessionId, asked } = await waiting();
  for (const pid of chromesOf(stack)) process.kill(pid, 'SIGKILL');
  await killAndAwait(stack, everything(stack));
  await eventually(
    'the question is listed again',
    async () => {
      const listed = await call('GET', `approvals?session=${sessionId}`).catch(() => undefined);
      return (listed?.body.data as unknown[] | undefined)?.length === 1;
    },
    60_000,
  );
  const isAnswered = async (): Promise<boolean> => {
    const [open] = (await stack.client.approvals(sessionId)) as Asked[];
    if (open !== undefined) await call('POST', `sessions/${sessionId}/approve`).catch(() => undefined);
    const { session, error } = await stack.client.get(sessionId);
    if (error !== null) throw new Error(error.message);
    return session.status === 'COMPLETED';
  };
  // The page is restored from its checkpoint; where it reads otherwise the session asks again, which is answered too.
  await eventually('the session completes', isAnswered, 90_000);
  expect(await stack.orders(run)).toHaveLength(1);
  const log = await stack.logOf(sessionId);
  expect(logOrderProblems(log)).toEqual([]);
  const begun = log.filter(({ facts }) => facts?.kind === 'call' && facts.callId === asked.callId);
  expect(begun).toHaveLength(1);
}, 180_000);
