/** Schedules by the command line, whose sessions run: what they do once is done once, whoever starts them again. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScheduleDetails } from '../../contracts/sessions/schedule';
import { runCli } from '../cli/cli-process';
import { eventually } from '../support/eventually';
import { endOf, ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

const ALLOWED = { SUREFOOT_ENV_SECRETS: 'BANK_CODE' };

let stack: WholeStack;
let bank: Server;
let url: string;
let folder: string;
/** Each payment, by what its session has typed. */
const paid: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'surefoot-schedules-'));
  bank = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (request.method !== 'POST')
      return response.end(
        '<!doctype html><title>Bank</title><form method="post"><label>Code <input name="code"></label><button style="width:200px;height:80px">Pay</button></form>',
      );
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      paid.push(new URLSearchParams(body).get('code') ?? '');
      response.end('<!doctype html><title>Bank</title><h1>Paid</h1>');
    });
  });
  await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(bank.address() as AddressInfo).port}`;
  stack = await startWholeStack({ BANK_CODE: 'sesame', ...ALLOWED }, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  bank.closeAllConnections();
  bank.close();
  rmSync(folder, { recursive: true });
  await stack.stop();
}, 60_000);

async function surefoot(...args: string[]): Promise<string> {
  const { databaseUrl, temporalAddress, home } = stack;
  const env = { SUREFOOT_HOME: home, DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress, ...ALLOWED };
  const { exitCode, stdout, stderr } = await runCli(['schedule', ...args], { env });
  if (exitCode !== 0) throw new Error(stderr);
  return stdout;
}

const show = async (id: string) => JSON.parse(await surefoot('show', id, '--json')) as ScheduleDetails;

async function sessionsOf(id: string, count: number) {
  return await eventually(`${count} sessions of ${id}`, async () => {
    const { sessions } = await show(id);
    return sessions.length === count ? sessions : undefined;
  });
}

test('sessions of a schedule take their secret from the workers, and what they do once is done once', async () => {
  const file = join(folder, 'pay.json');
  const steps = [
    `Open ${url}/`,
    'Fill "Code" with "${code}"',
    { instruction: 'Click "Pay"', once: { key: 'rent-${month}' } },
  ];
  const config = { executorConfig: { screenshotsEnabled: false }, agent: { approvalMode: 'yolo' } };
  writeFileSync(file, JSON.stringify({ every: '1d', catchUp: '2h', request: { name: 'Rent', steps, config } }));
  const created = await surefoot(
    'create',
    'rent',
    '--file',
    file,
    '--paused',
    '--overlap',
    'buffer-all',
    '--variable',
    'month=may',
    '--secret',
    `code=BANK_CODE@${url}`,
  );
  expect(created).toBe('The schedule rent is created: every 1d.\nIt is paused.\n');
  const two = ['--from', '2026-05-01T00:00:00Z', '--to', '2026-05-02T00:00:00Z'];
  await surefoot('backfill', 'rent', ...two);
  const sessions = await sessionsOf('rent', 2);
  expect(sessions.map(({ workflowId }) => workflowId).sort()).toEqual([
    'rent-2026-05-01T00:00:00Z',
    'rent-2026-05-02T00:00:00Z',
  ]);
  for (const { sessionId } of sessions) expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(paid).toEqual(['sesame']);

  // The sessions of these times are there: what starts them again does nothing.
  const ends = async () => (await show('rent')).counts.started;
  await surefoot('backfill', 'rent', ...two);
  await eventually('the starts', async () => (await ends()) === 4);
  for (const { sessionId, workflowId } of sessions) {
    const handle = stack.engineTemporal.workflow.getHandle(workflowId);
    await eventually('the end of the workflow', async () => (await handle.describe()).status.name !== 'RUNNING');
    expect(await stack.client.get(sessionId)).toMatchObject({ title: 'Rent', session: { status: 'COMPLETED' } });
  }
  expect(paid).toEqual(['sesame']);
  expect((await surefoot('show', 'rent')).split('\n')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^state +paused/), expect.stringMatching(/COMPLETED {2}2026-05-0/)]),
  );
  await surefoot('delete', 'rent');
  await expect(surefoot('show', 'rent')).rejects.toThrow('There is no schedule rent.');
}, 120_000);
