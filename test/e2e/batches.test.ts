/** Batches of payments, submitted three times at once, while workers are killed: what the bank counts, and what is said of each row. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BatchRequestSchema, type BatchInput } from '../../contracts/batches/batch';
import { createBatches, type Batches } from '../../service/batches/batches';
import { sessionIdOf } from '../../store/sessions/session-id';
import { eventually } from '../support/eventually';
import { killAndAwait } from '../support/kill';
import { ONE_BROWSER_WORKER, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
let bank: Server;
let url: string;
let batches: Batches;
/** Each invoice that was paid, in order. */
const paid: string[] = [];
/** Invoices that the bank refuses. */
const refused = new Set<string>();

beforeAll(async () => {
  bank = createServer((request, response) => {
    const invoice = new URL(request.url ?? '/', 'http://bank').searchParams.get('invoice') ?? '';
    const page = (text: string, status = 200): void => {
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
      response.end(`<!doctype html><title>Bank</title><h1>${text}`);
    };
    if (request.method !== 'POST')
      return page(
        `Invoice ${invoice}</h1><form method="post"><button style="width:300px;height:200px">Pay</button></form>`,
      );
    if (refused.has(invoice)) return page('Refused: the account is closed', 422);
    paid.push(invoice);
    page(`Paid ${invoice}`);
  });
  await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(bank.address() as AddressInfo).port}`;
  stack = await startWholeStack({}, ONE_BROWSER_WORKER);
  batches = createBatches({ store: stack.engineStore, temporal: stack.engineTemporal });
}, 120_000);
afterAll(async () => {
  bank.closeAllConnections();
  bank.close();
  await stack.stop();
}, 60_000);

const request = (): BatchInput['request'] => ({
  steps: [
    `Open ${url}/pay?invoice=\${invoice}`,
    { instruction: 'Click "Pay"', once: { key: 'invoice-${invoice}' } },
    'Save the text of the heading as receipt',
  ],
  config: { executorConfig: { screenshotsEnabled: false }, replay: 'off', agent: { approvalMode: 'yolo' } },
});
const start = (input: BatchInput) => batches.start(BatchRequestSchema.parse(input));
const ended = (id: string) => batches.rows({ id }, { state: 'ended', limit: 1000 });

/** Follows a batch as JSON lines, and begins anew behind the position it has reached after each text. */
async function follow(id: string, rows: number[]): Promise<void> {
  for (let after = 0, isOver = false; !isOver;) {
    isOver = true;
    for await (const { text, position } of batches.follow(
      { id },
      { format: 'jsonl', after, signal: AbortSignal.timeout(240_000) },
    )) {
      rows.push(
        ...text
          .trim()
          .split('\n')
          .map((line) => (JSON.parse(line) as { row: number }).row),
      );
      after = position;
      isOver = false;
      break;
    }
  }
}

async function endOf(id: string) {
  return await eventually(
    `the end of ${id}`,
    async () => {
      const batch = await batches.get({ id });
      return batch.endedAt === undefined ? undefined : batch;
    },
    150_000,
  );
}

test('a batch submitted three times while workers are killed pays each row once; bad rows say why', async () => {
  const invoices = Array.from({ length: 9 }, (_, index) => `inv-${index + 1}`);
  const lines = ['invoice,amount', ...invoices.map((invoice) => `${invoice},30`), ',30', 'inv-10', 'inv-11,30,EUR'];
  const rows = { csv: lines.join('\n') };
  const ids = ['first', 'second', 'third'];
  await Promise.all(ids.map((id) => start({ id, rows, request: request(), concurrency: 4 })));
  const followed: number[] = [];
  const following = follow('first', followed);
  await eventually('the first payments', () => paid.length >= 2);
  await killAndAwait(stack, ['engine-1', 'engine-2', 'browser-1']);
  const found = await Promise.all(ids.map(endOf));
  expect([...paid].sort()).toEqual([...invoices].sort());

  await following;
  expect([...followed].sort((one, other) => one - other)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));

  const reached = new Map<string, string[]>();
  for (const { id, state, total, rows: counts } of found) {
    const all = await ended(id);
    expect(all.filter((row) => row.state === 'failed')).toEqual([]);
    expect({ state, total, invalid: counts.invalid, good: counts.completed + counts['already-done'] }).toEqual({
      state: 'completed',
      total: 12,
      invalid: 3,
      good: 9,
    });
    expect(all.slice(9).map(({ reason }) => reason)).toEqual([
      'The variable invoice has no value.',
      'Line 12 has 1 value, and the first line names 2.',
      'Line 13 has 3 values, and the first line names 2.',
    ]);
    for (const row of all.slice(0, 9)) {
      const { invoice = '' } = row.variables;
      reached.set(invoice, [...(reached.get(invoice) ?? []), row.state]);
      const reason = expect.stringContaining(`“invoice-${invoice}” at ${url} was done by session`) as string;
      expect(row).toMatchObject(
        row.state === 'already-done' ? { reason } : { state: 'completed', result: { receipt: `Paid ${invoice}` } },
      );
      expect(await stack.engineStore.sessions.get(row.sessionId!)).toMatchObject({
        workflowId: `${id}:${row.row}`,
        status: 'COMPLETED',
      });
    }
  }
  for (const states of reached.values()) expect(states.sort()).toEqual(['already-done', 'already-done', 'completed']);
}, 240_000);

test('a row that has failed runs again by one call, as another session; rows that are done do not', async () => {
  refused.add('late-2');
  const rows = ['late-1', 'late-2'].map((invoice) => ({ invoice }));
  const steps = [`Open ${url}/pay?invoice=\${invoice}`, 'Click "Pay"', 'Expect "Paid"'];
  const input = { id: 'late', rows, request: { ...request(), steps } };
  await start(input);
  expect(await endOf('late')).toMatchObject({ state: 'completed', rows: { completed: 1, failed: 1 } });
  const [, failed] = await ended('late');
  expect(failed).toMatchObject({ state: 'failed', sessionId: expect.any(String), reason: expect.any(String) });

  refused.clear();
  // The same request again is the same batch, and starts nothing.
  expect(await start(input)).toMatchObject({ id: 'late', state: 'completed' });
  await expect(start({ ...input, concurrency: 3 })).rejects.toThrow('There is another batch late already.');
  expect(await batches.retry({ id: 'late' })).toEqual({ retried: 1 });
  expect(await endOf('late')).toMatchObject({ rows: { completed: 2, failed: 0 } });
  const [first, second] = await ended('late');
  expect([first!.attempt, second!.attempt]).toEqual([1, 2]);
  expect(second!.sessionId).not.toBe(failed!.sessionId);
  expect(paid.filter((invoice) => invoice.startsWith('late'))).toEqual(['late-1', 'late-2']);
  expect(await batches.retry({ id: 'late' })).toEqual({ retried: 0 });
}, 120_000);

/** Sessions that are open for days, without a browser. */
const later = (): BatchInput['request'] => ({
  ...request(),
  notBefore: new Date(Date.now() + 86_400_000).toISOString(),
});

const counts = async (id: string) => {
  const { state, rows, note } = await batches.get({ id });
  return { state, note, running: rows.running, waiting: rows.waiting, cancelled: rows.cancelled };
};

const isOpen = async (workflowId: string) => (await stack.engineStore.sessions.get(sessionIdOf(workflowId))) !== null;

test('a batch starts as many sessions as it may, none while paused; a cancel ends all of them', async () => {
  const rows = Array.from({ length: 6 }, (_, index) => ({ invoice: `held-${index}` }));
  await start({ id: 'held', rows, request: later(), concurrency: 2 });
  await eventually('two sessions', async () => (await isOpen('held:1')) && (await isOpen('held:2')));
  expect(await batches.pause({ id: 'held' })).toMatchObject({ state: 'paused' });
  await stack.client.cancel('held:1');
  await eventually('the end of one', async () => (await counts('held')).cancelled === 1);
  await batches.resume({ id: 'held' });
  await eventually('the next one', async () => (await counts('held')).running === 2);
  expect(await counts('held')).toMatchObject({ waiting: 3, cancelled: 1 });
  await batches.cancel({ id: 'held' });
  expect(await endOf('held')).toMatchObject({ state: 'cancelled', rows: { cancelled: 6, running: 0, waiting: 0 } });
  const [second] = await batches.rows({ id: 'held' }, { after: 1, limit: 1 });
  expect(await stack.client.get(second!.sessionId!)).toMatchObject({ session: { status: 'CANCELLED' } });
}, 60_000);

test('a batch whose workflow was terminated in Temporal is paused, and a resume goes on with its rows', async () => {
  const rows = ['a', 'b', 'c'].map((invoice) => ({ invoice }));
  await start({ id: 'ended', rows, request: later(), concurrency: 1 });
  await eventually('the first session', () => isOpen('ended:1'));
  await stack.engineTemporal.workflow.getHandle('batch:ended').terminate();
  await stack.client.cancel('ended:1');
  await eventually('the pause', async () => (await counts('ended')).state === 'paused');
  expect(await counts('ended')).toMatchObject({
    note: expect.stringContaining('was ended in Temporal'),
    running: 0,
    waiting: 2,
  });
  await batches.resume({ id: 'ended' });
  await eventually('the second session', async () => (await counts('ended')).running === 1);
  await stack.engineTemporal.workflow.getHandle('batch:ended').cancel();
  expect(await endOf('ended')).toMatchObject({ state: 'cancelled', rows: { cancelled: 3 } });
}, 60_000);

test('a batch of more rows than one run of its workflow takes goes on in the next run', async () => {
  const of = createBatches({
    store: stack.engineStore,
    temporal: stack.engineTemporal,
    // The workers know of no such connection: each session ends before it needs a browser.
    connections: { nowhere: { vendor: 'ai:openai', model: 'gpt-5', keyEnv: 'NO_KEY' } },
  });
  const rows = Array.from({ length: 120 }, (_, index) => ({ invoice: `many-${index}` }));
  const refusing = { ...request(), config: { aiConnectionId: 'nowhere' } };
  await of.start(BatchRequestSchema.parse({ id: 'many', rows, request: refusing, concurrency: 20 }));
  expect(await endOf('many')).toMatchObject({ state: 'completed', total: 120, rows: { failed: 120 } });
  const [{ reason } = { reason: '' }] = await ended('many');
  expect(reason).toContain('nowhere');
  const runs = [];
  for await (const { runId } of stack.engineTemporal.workflow.list({ query: "WorkflowId = 'batch:many'" }))
    runs.push(runId);
  expect(runs.length).toBeGreaterThan(1);
}, 120_000);
