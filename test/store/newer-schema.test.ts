import postgres from 'postgres';
import { openStore } from '../../store/store';
import { aSession } from '../support/builders';
import { startTestStack, type TestStack } from '../support/stack';

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
  await sql`insert into kysely_migration (name, timestamp) values ('9999-newer', ${new Date().toISOString()})`;
  const store = await openStore({ databaseUrl: stack.databaseUrl, home: stack.home });
  const sessionId = await aSession(store);
  expect(await store.sessions.get(sessionId)).toMatchObject({ sessionId });
  const applied = await sql`select name from kysely_migration order by name`;
  expect(applied.at(-1)?.['name']).toBe('9999-newer');
  await store.close();
  await sql.end();
});
