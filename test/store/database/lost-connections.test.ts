import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type Sql } from '../../../store/database/connect';
import { eventually } from '../../support/eventually';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let sql: Sql;
beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
});
afterAll(() => stack.stop());
beforeEach(() => {
  sql = connect(stack.databaseUrl, { maxConnections: 1 });
});
afterEach(() => sql.end({ timeout: 1 }));

/** The one connection of the pool, as the system has it. */
async function socketOf(pool: Sql): Promise<Socket> {
  await pool`select 1`;
  const port = Number(new URL(stack.databaseUrl).port);
  const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles();
  return handles.find((one): one is Socket => one instanceof Socket && one.remotePort === port)!;
}

const answers = async (): Promise<unknown> => await Promise.race([sql`select 7 as it`, delay(5000, 'no answer')]);

test('a connection that goes while something waits to be sent on it has a successor that sends', async () => {
  const socket = await socketOf(sql);
  const lost = sql`select 'never heard'`.catch((error: unknown) => error);
  // The query is written when the turn is over; the connection is gone before.
  await Promise.resolve().then(() => {});
  socket.destroy();
  socket.emit('close', false);
  expect(await lost).toMatchObject({ code: 'CONNECTION_CLOSED' });
  expect(await answers()).toEqual([{ it: 7 }]);
});

test('a query in a transaction whose connection is lost is rejected, and ends no process', async () => {
  const socket = await socketOf(sql);
  const codes: unknown[] = [];
  const transaction = sql.begin(async (tx) => {
    await tx`select 1`;
    socket.destroy();
    await eventually('it is gone', () => socket.closed);
    for (let tried = 0; tried < 3; tried += 1)
      await tx`select 2`.catch((error: unknown) => codes.push((error as { code: string }).code));
  });
  await expect(transaction).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  await eventually('each was answered', () => codes.length === 3);
  expect(codes).toEqual(Array(3).fill('CONNECTION_CLOSED'));
  expect(await answers()).toEqual([{ it: 7 }]);
});
