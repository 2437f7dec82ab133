import { connect, createServer, type AddressInfo } from 'node:net';
import postgres from 'postgres';
import { outageReason } from '../../../store/database/outage';
import { openStore } from '../../../store/store';
import { aSession } from '../../support/builders';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
});
afterAll(() => stack.stop());

test('a process of an older version starts and works on a schema that a newer one has brought further', async () => {
  await stack.store();
  const sql = postgres(stack.databaseUrl, { max: 1 });
  // What a newer version leaves when it has only added something.
  await sql`alter table sessions add column of_a_newer_version text`;
  await sql`insert into schema_migrations (name) values ('9999-newer')`;
  const store = await openStore({ databaseUrl: stack.databaseUrl, home: stack.home });
  const sessionId = await aSession(store);
  expect(await store.sessions.get(sessionId)).toMatchObject({ sessionId });
  const applied = await sql`select name from schema_migrations order by name`;
  expect(applied.at(-1)?.['name']).toBe('9999-newer');
  await store.close();
  await sql.end();
});

test('a database that goes down while its schema is read is an outage, and waited for at a start', async () => {
  const { hostname, port } = new URL(stack.databaseUrl);
  const through = createServer((client) => {
    const server = connect(Number(port), hostname);
    client.on('data', (chunk) => (chunk.includes('pg_tables') ? client.destroy() : server.write(chunk)));
    server.on('data', (chunk) => client.write(chunk));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => {}).on('close', () => other.destroy());
  });
  await new Promise<void>((resolve) => through.listen(0, '127.0.0.1', resolve));
  const url = new URL(stack.databaseUrl);
  url.host = `127.0.0.1:${(through.address() as AddressInfo).port}`;
  const opening = openStore({ databaseUrl: url.href, home: stack.home });
  const error = await opening.catch((refusal: unknown) => refusal);
  expect(outageReason(error)).toBe('CONNECTION_CLOSED');
  through.close();
});
