import { randomUUID } from 'node:crypto';
import type { Approval, ApprovalFilter } from '../../contracts/approvals/approval';
import { ToolConfirmationOutcome } from '../../contracts/approvals/confirmation-outcome';
import { aSession, bodyOf, startTestApi, type TestApi } from './fixture';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

/** Writes a question of the session, as it stands now. */
async function write(sessionId: string, now: Partial<Approval>): Promise<Approval> {
  const approval: Approval = {
    approvalId: `appr_${randomUUID()}`,
    sessionId,
    callId: 'call_1',
    toolName: 'computer',
    args: { action: 'left_click', ref: 'e7' },
    classification: 'destructive',
    card: { type: 'info', title: 'Press “Place order”?', prompt: 'It may cost money.' },
    hash: 'h',
    stepIndex: 0,
    turn: 3,
    status: 'pending',
    askedAt: '2026-03-01T09:30:00.000Z',
    ...now,
  };
  await api.store.log.append(sessionId, [], { approvals: [approval] });
  return approval;
}

const get = async (path: string) => {
  const response = await api.app.request(`/v1/approvals${path}`);
  return { status: response.status, ...(await bodyOf(response)) };
};
const decidedAt = '2026-03-01T09:31:00.000Z';

test('approvals that were answered stay readable: status, who answered what, how long, which edits', async () => {
  const sessionId = await aSession(api.store);
  const written: Record<Exclude<ApprovalFilter, 'standing'>, Approval> = {
    pending: await write(sessionId, {}),
    approved: await write(sessionId, {
      status: 'approved',
      outcome: ToolConfirmationOutcome.ProceedAlways,
      by: 'Ada',
      remembered: { kind: 'tool', tool: 'computer', classification: 'destructive' },
      decidedAt,
    }),
    rejected: await write(sessionId, {
      status: 'rejected',
      outcome: ToolConfirmationOutcome.Cancel,
      by: 'Bob',
      reason: 'not today',
      decidedAt,
    }),
    expired: await write(sessionId, { status: 'expired', reason: 'nobody answered', decidedAt }),
    cancelled: await write(sessionId, { status: 'cancelled', reason: 'the session was cancelled', decidedAt }),
  };
  const edited = await write(sessionId, {
    status: 'approved',
    outcome: ToolConfirmationOutcome.ModifyWithEditor,
    by: 'Ada',
    editedArgs: { action: 'left_click', ref: 'e8' },
    // The oldest question comes first.
    askedAt: '2026-03-01T09:30:30.000Z',
    decidedAt,
  });
  for (const [status, approval] of Object.entries(written)) {
    const listed = await get(`?status=${status}&session=${sessionId}`);
    const expected = status === 'approved' ? [approval, edited] : [approval];
    expect([listed.status, listed.data]).toEqual([200, expected.map((each) => expect.objectContaining({ ...each }))]);
    expect(await get(`/${approval.approvalId}`)).toMatchObject({
      status: 200,
      data: { ...approval, kind: 'approval' },
    });
  }
  const standing = await get(`?status=standing&session=${sessionId}`);
  expect(standing.data).toEqual([expect.objectContaining({ approvalId: written.approved.approvalId })]);
  // Without a status: what waits for an answer, and how to give it.
  expect((await get(`?session=${sessionId}`)).data).toEqual([
    expect.objectContaining({ approvalId: written.pending.approvalId, answerWith: expect.any(Object) }),
  ]);
});

test('a status that is none is refused with those that there are, and an unknown approval is 404', async () => {
  const refused = await get('?status=answered');
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.error)).toMatch(/status.*pending.*approved.*rejected.*expired.*cancelled.*standing/);
  expect((await get('/appr_nobody')).status).toBe(404);
});
