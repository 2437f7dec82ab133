/**
 * The demo as one task in mode default: Place order waits for a person. Everything is killed while it waits; the answer
 * comes when all of it is back, and exactly one order is placed.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { listMarkers } from '../../keeper/marker';
import { orderProblems } from '../../contracts/log-order';
import type { PendingQuestion } from '../../contracts/approval';
import { ToolConfirmationOutcome } from '../../contracts/tools';
import { runCli, type CliResult } from '../cli/cli-process';
import { eventually } from '../support/eventually';
import { demoRequest, endOf, SHOP_PASSWORD, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;

beforeAll(async () => {
  stack = await startWholeStack();
}, 120_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

interface Answer {
  status: number;
  // The API as a client without our types sees it.
  body: { data?: unknown; error?: { message: string; details?: { state?: string } } };
}

async function call(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${stack.api}/v1/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
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
      await stack.client.decideApproval({ approvalId: open.approvalId, outcome: ToolConfirmationOutcome.ProceedOnce });
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

test('[S3.A8] a call that waits is told everywhere; approved over HTTP it runs once, and a second answer is 409', async () => {
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
  const answers = await Promise.all([
    call('POST', path, { outcome: 'proceed_once' }),
    call('POST', path, { outcome: 'proceed_once' }),
  ]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 409]));
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect((await call('POST', path, { outcome: 'cancel' })).status).toBe(409);
  expect(await stack.orders(run)).toHaveLength(1);
  const log = await stack.logOf(sessionId);
  expect(orderProblems(log)).toEqual([]);
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

test('rejected on the command line, the order is never placed, and the task ends with the model’s own words', async () => {
  const { run, sessionId, asked } = await waiting();
  const rejected = await cli('reject', sessionId.slice(0, 8), '--reason', 'too dear');
  expect([rejected.exitCode, rejected.stdout]).toEqual([0, expect.stringContaining('does not run')]);
  expect((await cli('approve', asked.approvalId)).exitCode).toBe(2);
  await endOf(stack, sessionId);
  expect(await stack.orders(run)).toEqual([]);
  const log = await stack.logOf(sessionId);
  const result = log.find(({ facts }) => facts?.kind === 'result' && facts.callId === asked.callId);
  expect(result?.facts).toMatchObject({ isUnrun: true, summary: 'rejected by user: too dear' });
});

test('an answer of the session alone is 409 where it waits for nothing', async () => {
  const { sessionId } = await stack.client.start({
    steps: [{ task: 'Wait for "what never comes"', timeoutMs: 30_000 }],
  });
  const refused = await call('POST', `sessions/${sessionId}/approve`);
  expect(refused.status).toBe(409);
  expect(refused.body.error?.message).toContain('not waiting for an approval');
  await stack.client.cancel(sessionId);
  await endOf(stack, sessionId);
});

test('[S2.R6] a call that waits is cancelled on its own over HTTP: nobody is asked any more, and it never runs', async () => {
  const { run, sessionId, asked } = await waiting();
  const path = `sessions/${sessionId}/calls/${asked.callId}/cancel`;
  expect((await call('POST', `sessions/${sessionId}/calls/call_nobody/cancel`, {})).status).toBe(404);
  expect((await call('POST', path, { reason: 7 })).status).toBe(400);
  expect((await call('POST', path, { reason: 'too dear' })).status).toBe(202);
  const again = await call('POST', path, {});
  expect([again.status, again.body.error?.message]).toEqual([409, expect.stringMatching(/has ended|it is FAILED/)]);
  await endOf(stack, sessionId);
  const answer = await call('POST', `approvals/${asked.approvalId}/decision`, { outcome: 'proceed_once' });
  expect([answer.status, answer.body.error?.message]).toEqual([409, expect.stringContaining('it is cancelled')]);
  expect(await stack.orders(run)).toEqual([]);
  const log = await stack.logOf(sessionId);
  expect(orderProblems(log)).toEqual([]);
  const result = log.find(({ facts }) => facts?.kind === 'result' && facts.callId === asked.callId);
  expect(result?.facts).toMatchObject({ isUnrun: true, summary: 'cancelled by user: too dear' });
});

test('[S2.R6] a call that runs is stopped from the command line: it ends in journal and log, long before its own limit', async () => {
  const { sessionId } = await stack.client.start({
    steps: [{ task: `Go to ${stack.shop}/login. Wait for "what never comes".`, timeoutMs: 600_000 }],
    config: { timeouts: { requestTimeoutMs: 300_000 } },
  });
  const waits = await eventually('it waits', async () => {
    const log = await stack.logOf(sessionId);
    return log.find(({ type, data }) => type === 'COMMAND_STARTED' && data.command?.action === 'WAIT_FOR');
  });
  const { callId } = waits.facts as { callId: string };
  const told = await cli('cancel-call', sessionId.slice(0, 8), callId, '--reason', 'it never comes');
  expect([told.exitCode, told.stdout]).toEqual([0, expect.stringContaining('goes on without it')]);
  await endOf(stack, sessionId);
  const log = await stack.logOf(sessionId);
  expect(orderProblems(log)).toEqual([]);
  const end = log.find(({ facts }) => facts?.kind === 'result' && facts.callId === callId);
  expect(end?.data.command?.status).toBe('CANCELLED');
  expect(end?.facts).toMatchObject({ text: expect.stringContaining('it never comes') });
  const [entry] = await stack.engineStore.journal.find(sessionId, [waits.data.command!.commandId]);
  expect(entry?.status).toBe('failed');
  expect((await cli('cancel-call', sessionId, callId)).exitCode).toBe(2);
});

test('an approval outlives everything: database, Temporal, workers, keeper, API and Chrome are killed, then the call runs once', async () => {
  const { run, sessionId, asked } = await waiting();
  const victims = stack.stack.processes().filter(({ name }) => name !== 'shop');
  for (const { marker } of listMarkers(join(stack.home, 'browsers', 'local')))
    if (marker !== undefined) process.kill(marker.pid, 'SIGKILL');
  for (const { pid } of victims) process.kill(pid, 'SIGKILL');
  await eventually(
    'all of them run again',
    () => {
      const rows = stack.stack.processes();
      return victims.every(({ name, pid }) => rows.some((row) => row.name === name && row.alive && row.pid !== pid));
    },
    60_000,
  );
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
  expect(orderProblems(log)).toEqual([]);
  const begun = log.filter(({ facts }) => facts?.kind === 'call' && facts.callId === asked.callId);
  expect(begun).toHaveLength(1);
}, 180_000);
