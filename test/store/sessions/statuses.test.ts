import fc from 'fast-check';
import postgres from 'postgres';
import { SessionStatus, STATUS_TRANSITIONS, statusChange } from '../../../contracts/sessions/session';
import type { Store } from '../../../store/store';
import { aRecord, aSession } from '../../support/builders';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let store: Store;

beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
});
afterAll(() => stack.stop());

const set = (sessionId: string, status: SessionStatus) => store.log.append(sessionId, [], { patch: { status } });
const statusOf = async (sessionId: string) => (await store.sessions.get(sessionId))!.status;

test('[S1.A1] the store knows the same legal changes as the contract', async () => {
  const sql = postgres(stack.databaseUrl, { max: 1 });
  const rows = await sql`select old_status, new_status from status_changes`;
  await sql.end();
  const legal = Object.entries(STATUS_TRANSITIONS).flatMap(([from, to]) => to.map((status) => `${from} -> ${status}`));
  expect(rows.map((row) => `${row['old_status']} -> ${row['new_status']}`).sort()).toEqual(legal.sort());
});

test('[S1.A1] an illegal change is refused with the reason, and what came with it is not written either', async () => {
  const sessionId = await aSession(store);
  const paused = store.log.append(sessionId, [aRecord('a')], { patch: { status: SessionStatus.PAUSED, paused: true } });
  await expect(paused).rejects.toMatchObject({
    reason: 'illegal-status',
    message: `Session ${sessionId} is INITIALIZING and can not become PAUSED.`,
  });
  expect(await store.log.read(sessionId, 0, 10)).toEqual([]);
  expect(await store.sessions.get(sessionId)).toMatchObject({ status: 'INITIALIZING', paused: false });
});

test('[S1.A1] of many concurrent ends exactly one is written, and the same status again is no change', async () => {
  const sessionId = await aSession(store, { isActive: true });
  const ends = [SessionStatus.COMPLETED, SessionStatus.FAILED, SessionStatus.CANCELLED];
  const asked = Array.from({ length: 24 }, (_, index) => ends[index % 3]!);
  const results = await Promise.allSettled(asked.map((status) => set(sessionId, status)));
  const had = asked.filter((_, index) => results[index]!.status === 'fulfilled');
  const end = await statusOf(sessionId);
  expect(ends).toContain(end);
  expect(had).toEqual(Array.from({ length: 8 }, () => end));
});

test('[S1.A1] whatever many writers request at once, a session takes legal changes only', async () => {
  const statuses = fc.array(fc.constantFrom(...Object.values(SessionStatus)), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(statuses, async (asked) => {
      const sessionId = await aSession(store);
      const results = await Promise.allSettled(asked.map((status) => set(sessionId, status)));
      const accepted = asked.filter((_, index) => results[index]!.status === 'fulfilled');
      expect(canBeWalked(SessionStatus.INITIALIZING, accepted, await statusOf(sessionId))).toBe(true);
      const reasons = results.flatMap((each) =>
        each.status === 'rejected' ? [each.reason as { reason?: string }] : [],
      );
      expect(reasons.filter(({ reason }) => reason !== 'illegal-status')).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

/** Whether the accepted changes have some order in which each is legal and that ends at `end`. */
function canBeWalked(from: SessionStatus, left: readonly SessionStatus[], end: SessionStatus): boolean {
  if (left.length === 0) return from === end;
  return [...new Set(left)].some((to) => {
    const rest = left.toSpliced(left.indexOf(to), 1);
    return statusChange(from, to) !== 'illegal' && canBeWalked(to, rest, end);
  });
}
