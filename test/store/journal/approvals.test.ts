import type { Approval } from '../../../contracts/approvals/approval';
import { SessionStatus } from '../../../contracts/sessions/session';
import type { Store } from '../../../store/store';
import { aSession, endSession } from '../../api/fixture';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let store: Store;

beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
}, 120_000);
afterAll(() => stack.stop());

function anApproval(sessionId: string, change: Partial<Approval> = {}): Approval {
  return {
    approvalId: `appr_${sessionId.slice(0, 8)}`,
    sessionId,
    callId: 'call_1',
    toolName: 'computer',
    args: { ref: 'e1' },
    classification: 'destructive',
    card: { type: 'info', title: 'Press “Place order”?', prompt: 'It may cost money.' },
    hash: 'h',
    stepIndex: 0,
    turn: 0,
    status: 'pending',
    askedAt: '2026-03-01T09:30:00.000Z',
    ...change,
  };
}

const write = (approval: Approval) => store.log.append(approval.sessionId, [], { approvals: [approval] });

test('a request for approval is listed until it is answered, and the first answer counts', async () => {
  const sessionId = await aSession(store);
  const asked = anApproval(sessionId);
  await write(asked);
  expect(await store.approvals.pending(sessionId)).toEqual([asked]);
  const decided = { ...asked, status: 'approved', decidedAt: '2026-03-01T09:31:00.000Z' } as const;
  await write(decided);
  // A delivery of the question that was late, and a second answer.
  await write(asked);
  await write({ ...asked, status: 'rejected' });
  expect(await store.approvals.get(asked.approvalId)).toEqual(decided);
  expect(await store.approvals.pending(sessionId)).toEqual([]);
});

test('an approval for good stands until it is revoked, or its session ends', async () => {
  const [sessionId, other] = [await aSession(store), await aSession(store)];
  const remembered = { kind: 'tool', tool: 'computer', classification: 'destructive' } as const;
  const given = anApproval(sessionId, { status: 'approved', remembered });
  const standing = () => store.approvals.list('standing', sessionId);
  await write(anApproval(sessionId, { approvalId: 'appr_once', status: 'approved' }));
  await write(given);
  expect(await standing()).toEqual([given]);
  const revocation = { approvalId: given.approvalId, by: 'Ada', at: '2026-03-01T09:40:00.000Z' };
  await store.log.append(other, [], { revocations: [revocation] });
  expect(await standing()).toEqual([given]);
  await store.log.append(sessionId, [], { revocations: [revocation] });
  // A stale attempt writes an earlier state of it.
  await write(given);
  expect(await standing()).toEqual([]);
  const revoked = { ...given, revokedAt: revocation.at, revokedBy: 'Ada' };
  expect(await store.approvals.get(given.approvalId)).toEqual(revoked);

  await write(anApproval(other, { status: 'approved', remembered }));
  expect(await store.approvals.list('standing')).toHaveLength(1);
  await endSession(store, other, SessionStatus.FAILED);
  expect(await store.approvals.list('standing')).toEqual([]);
});

test('all questions are listed oldest first, and those of one session by its id', async () => {
  const [first, second] = [await aSession(store), await aSession(store)];
  await write(anApproval(second, { askedAt: '2026-03-01T10:00:00.000Z' }));
  await write(anApproval(first, { askedAt: '2026-03-01T09:00:00.000Z' }));
  const all = await store.approvals.pending();
  expect(all.map(({ sessionId }) => sessionId)).toEqual([first, second]);
  expect(await store.approvals.pending(second)).toHaveLength(1);
  await endSession(store, first, SessionStatus.FAILED);
  await endSession(store, second, SessionStatus.FAILED);
  expect(await store.approvals.pending()).toEqual([]);
  expect(await store.approvals.get(anApproval(first).approvalId)).toMatchObject({ status: 'cancelled' });
});

test('a request for approval is written with its records, or not at all', async () => {
  const sessionId = await aSession(store);
  const stranger = { guard: { runId: 'another-run' }, approvals: [anApproval(sessionId)] };
  await store.sessions.assignRun(sessionId, 'run-1', undefined);
  await expect(store.log.append(sessionId, [], stranger)).rejects.toThrow();
  expect(await store.approvals.pending(sessionId)).toEqual([]);
});

test('no session answers in the name of another', async () => {
  const [own, other] = [await aSession(store), await aSession(store)];
  const asked = anApproval(own);
  await write(asked);
  await write({ ...asked, sessionId: other, status: 'approved' });
  expect(await store.approvals.get(asked.approvalId)).toEqual(asked);
  expect(await store.approvals.get('appr_nobody')).toBeNull();
});
