import { randomUUID } from 'node:crypto';
import type { Store } from '../../store/store';
import { startDatabaseProxy } from '../support/database-proxy';
import { eventually } from '../support/eventually';
import { startTestStack, type TestStack } from '../support/stack';
import { runCli, type CliResult } from './cli-process';

let stack: TestStack;
let store: Store;

beforeAll(async () => {
  stack = await startTestStack();
  store = await stack.store();
});
afterAll(() => stack.stop());

function surefoot(args: readonly string[], databaseUrl = stack.databaseUrl): Promise<CliResult> {
  const env = { SUREFOOT_HOME: stack.home, DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: stack.temporalAddress };
  return runCli(args, { env });
}

const sessionsWith = async (instruction: string): Promise<string[]> => {
  const { rows } = await store.sessions.list({ page: 1, pageSize: 100 });
  return rows.flatMap(({ sessionId, plan }) => (plan.steps[0]!.instruction === instruction ? [sessionId] : []));
};

test('a run whose start the database has stored without an answer starts one session', async () => {
  const proxy = await startDatabaseProxy(stack.databaseUrl);
  const instruction = `Look ${randomUUID()}`;
  try {
    await proxy.make({ loseAnswerTo: 'insert into sessions' });
    const running = surefoot(['run', '--detach', instruction], proxy.url);
    const [sessionId] = await eventually('the session is stored', async () => {
      const stored = await sessionsWith(instruction);
      return stored.length > 0 ? stored : undefined;
    });
    await proxy.make('none');
    expect(await running).toMatchObject({ exitCode: 0, stdout: `${sessionId}\n` });
    expect(await sessionsWith(instruction)).toEqual([sessionId]);
  } finally {
    proxy.close();
  }
});

test('runs with one --idempotency-key are one session, and another request under the key is refused', async () => {
  const [key, instruction] = [randomUUID(), `Look ${randomUUID()}`];
  const run = (...steps: string[]) => surefoot(['run', '--detach', '--idempotency-key', key, ...steps]);
  const first = await run(instruction);
  expect(first).toMatchObject({ exitCode: 0 });
  expect(await run(instruction)).toMatchObject({ exitCode: 0, stdout: first.stdout });
  expect(await sessionsWith(instruction)).toEqual([first.stdout.trim()]);
  const other = await run(instruction, 'and look again');
  expect(other).toMatchObject({ exitCode: 2, stdout: '' });
  expect(other.stderr).toContain('Idempotency-Key');
});
