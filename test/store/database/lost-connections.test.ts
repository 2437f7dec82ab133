/**
 * What scripts/patches/postgres+3.4.9.patch repairs (porsager/postgres#1176, #1193, #1214): queries that hang for minutes after
 * a lost connection, a rollback that ends the process, about 200 connections a second to a server that starts. A version with
 * these fixes makes the patch fail: then delete it.
 */
import { createConnection, createServer, Socket, type AddressInfo } from 'node:net';
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

test('a server that starts is asked again after pauses that grow, and answers when it is there', async () => {
  const database = new URL(stack.databaseUrl);
  const attempts: number[] = [];
  // A server that starts, or its pooler, takes connections and closes them.
  const server = createServer((socket) => {
    attempts.push(performance.now());
    socket.on('error', () => {});
    if (attempts.length < 5) return void socket.once('data', () => socket.end());
    const through = createConnection(Number(database.port), database.hostname).on('error', () => {});
    socket.on('close', () => through.destroy());
    socket.pipe(through).pipe(socket);
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const { port } = server.address() as AddressInfo;
  const pool = connect(Object.assign(new URL(database), { hostname: '127.0.0.1', port: String(port) }).href, {
    maxConnections: 1,
  });
  try {
    expect(await pool`select 7 as it`).toEqual([{ it: 7 }]);
    // 100, 200, 400 and 800 ms, less what the first of them may have come late.
    expect(attempts[4]! - attempts[0]!).toBeGreaterThan(1000);
  } finally {
    await pool.end({ timeout: 1 });
    server.close();
  }
});
