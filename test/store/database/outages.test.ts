import { toFailure } from '../../../activities/activity/failures';
import { retryThroughOutage } from '../../../activities/recorded/retry-through-outage';
import { fromStore } from '../../../service/connection/store-errors';
import { connect } from '../../../store/database/connect';
import { outageReason } from '../../../store/database/outage';
import { openStore, type Store } from '../../../store/store';
import { aRecord, aSession } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { startDatabaseProxy, type DatabaseProxy, type Trouble } from '../../support/database-proxy';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let proxy: DatabaseProxy;
let store: Store;
let sessionId: string;
beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  proxy = await startDatabaseProxy(stack.databaseUrl);
  store = await openStore({ databaseUrl: `${proxy.url}?connect_timeout=1`, home: stack.home });
  sessionId = await aSession(store);
});
afterAll(async () => {
  await proxy.make('none');
  await store.close();
  proxy.close();
  await stack.stop();
});

const write = (): Promise<unknown> => store.log.append(sessionId, [aRecord('again-and-again')]);

const recordsOfWrite = async () =>
  (await store.log.read(sessionId, 0, 100)).filter(({ eventId }) => eventId === 'again-and-again');

/** As activities and callers of the API meet it. */
async function expectOutage(error: unknown, code: RegExp): Promise<void> {
  expect((error as { code?: string } | undefined)?.code).toMatch(code);
  expect(outageReason(error)).toBeDefined();
  expect(toFailure(error, 'TL002', 100)).toMatchObject({ type: 'CM002', nonRetryable: false });
  const call = () => Promise.reject(error as Error);
  await expect(fromStore(call)).rejects.toMatchObject({ kind: 'unavailable', code: 'CM002' });
}

const failureOf = (query: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(query).then(
    () => undefined,
    (error: unknown) => error,
  );

test.each<[what: string, code: RegExp, trouble: Trouble, isOpen: boolean]>([
  ['a port where nothing listens', /^ECONNREFUSED$/, 'refuse', false],
  ['a connection that is reset under a query', /^ECONNRESET$/, 'reset', true],
  ['a connection that ends under a query', /^CONNECTION_CLOSED$/, 'close', true],
  ['a server that takes connections and says nothing', /^CONNECT_TIMEOUT$/, 'silence', false],
  ['a server that is shut down', /^57P01$/, { sqlState: '57P01' }, false],
  ['a server one of whose processes has crashed', /^57P02$/, { sqlState: '57P02' }, false],
  ['a server that starts', /^57P03$/, { sqlState: '57P03' }, false],
  ['a server without a free connection', /^53300$/, { sqlState: '53300' }, false],
  ['a connection that the server calls broken', /^08006$/, { sqlState: '08006' }, false],
])(
  '%s is an outage of the database: it is waited for, and the write that met it is made',
  async (_, code, trouble, isOpen) => {
    const sql = connect(`${proxy.url}?connect_timeout=1`, { maxConnections: 1 });
    if (isOpen) await sql`select 1`;
    await proxy.make(trouble);
    await expectOutage(await failureOf(sql`select 1`), code);
    const written = retryThroughOutage(write);
    await proxy.make('none');
    await written;
    expect(await recordsOfWrite()).toHaveLength(1);
    await sql.end({ timeout: 1 });
  },
);

test('a database that only reads after a failover is an outage: a write is made once it may be', async () => {
  const sql = connect(stack.databaseUrl, { maxConnections: 1 });
  const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
    await sql.unsafe('set default_transaction_read_only = off');
    await sql.unsafe(`alter system set default_transaction_read_only = ${value}`);
    await sql`select pg_reload_conf()`;
  };
  await setReadOnly('on');
  await eventually('the server has read its settings', () =>
    write().then(
      () => false,
      () => true,
    ),
  );
  await expectOutage(await failureOf(write()), /^25006$/);
  await expect(fromStore(write)).rejects.toThrow('The database takes no writes: it only reads, as after a failover.');
  expect(await store.sessions.get(sessionId)).toMatchObject({ sessionId });
  const written = retryThroughOutage(write);
  await setReadOnly('off');
  await written;
  expect(await recordsOfWrite()).toHaveLength(1);
  await sql.end();
});

test.each([
  ['a name that DNS does not know, or that it can not be asked for', 'database.invalid', /^(ENOTFOUND|EAI_AGAIN)$/],
  // No connection can be made to a multicast address: the kernel answers as for a network without a route.
  ['a network to which no route leads', '224.0.0.1', /^ENETUNREACH$/],
])('%s is an outage of the database', async (_, host, code) => {
  const url = new URL(stack.databaseUrl);
  url.hostname = host;
  const sql = connect(url.href, { maxConnections: 1 });
  const error = await failureOf(sql`select 1`);
  expect(outageReason(error)).toBeDefined();
  await expectOutage(error, code);
  await sql.end({ timeout: 1 });
});

test.each(['23505', '22P02', '42P01', '57014', '25P02', 'ENOENT'])('%s is no outage', (code) => {
  expect(outageReason(Object.assign(new Error('it broke'), { code }))).toBeUndefined();
});
