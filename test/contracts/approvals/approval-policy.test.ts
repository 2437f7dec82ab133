import {
  approvalNeed,
  covers,
  infoCard,
  rememberedApprovalOf,
  type ApprovalFacts,
} from '../../../contracts/approvals/approval-policy';
import type { RememberedApproval } from '../../../contracts/approvals/remembered-approval';
import { ToolConfirmationOutcome } from '../../../contracts/approvals/confirmation-outcome';

const click: ApprovalFacts = { tool: 'computer', classification: 'write' };
const remote: ApprovalFacts = { tool: 'notes__add', server: 'notes', classification: 'write' };
const shell: ApprovalFacts = { tool: 'shell', rootCommand: 'git', classification: 'write' };
const card = infoCard({ tool: 'computer' }, 'Click "Buy"?');

test('[S2.A1] yolo asks for nothing, default where the tool does, always for every call', () => {
  expect(approvalNeed('yolo', click, card, [])).toEqual({ kind: 'none' });
  expect(approvalNeed('default', click, undefined, [])).toEqual({ kind: 'none' });
  expect(approvalNeed('default', click, card, [])).toEqual({ kind: 'ask', card });
  expect(approvalNeed('always', click, card, [])).toEqual({ kind: 'ask', card });
  expect(approvalNeed('always', click, undefined, [])).toMatchObject({ kind: 'ask', card: { type: 'info' } });
});

test.each<[ToolConfirmationOutcome, ApprovalFacts, RememberedApproval | undefined]>([
  [ToolConfirmationOutcome.ProceedOnce, click, undefined],
  [ToolConfirmationOutcome.ModifyWithEditor, click, undefined],
  [ToolConfirmationOutcome.Cancel, click, undefined],
  [ToolConfirmationOutcome.ProceedAlways, click, { kind: 'tool', tool: 'computer', classification: 'write' }],
  [
    ToolConfirmationOutcome.ProceedAlways,
    shell,
    { kind: 'command', tool: 'shell', rootCommand: 'git', classification: 'write' },
  ],
  [
    ToolConfirmationOutcome.ProceedAlwaysTool,
    remote,
    { kind: 'tool', tool: 'notes__add', server: 'notes', classification: 'write' },
  ],
  [ToolConfirmationOutcome.ProceedAlwaysServer, remote, { kind: 'server', server: 'notes' }],
  [ToolConfirmationOutcome.ProceedAlwaysServer, click, { kind: 'tool', tool: 'computer', classification: 'write' }],
])('[S2.A2] what is remembered of %s', (outcome, call, kept) => {
  expect(rememberedApprovalOf(outcome, call)).toEqual(kept);
  expect(kept === undefined || covers(kept, call)).toBe(true);
});

test('[S2.A2] a remembered approval covers its tool, its command or its server, and nothing beside them', () => {
  const tool = rememberedApprovalOf(ToolConfirmationOutcome.ProceedAlways, click)!;
  expect(covers(tool, { ...click, tool: 'navigate' })).toBe(false);
  expect(covers(tool, { ...click, server: 'notes' })).toBe(false);
  const command = rememberedApprovalOf(ToolConfirmationOutcome.ProceedAlways, shell)!;
  expect(covers(command, { ...shell, rootCommand: 'rm' })).toBe(false);
  expect(covers(command, { ...shell, rootCommand: undefined })).toBe(false);
  const server = rememberedApprovalOf(ToolConfirmationOutcome.ProceedAlwaysServer, remote)!;
  expect(covers(server, { ...remote, tool: 'notes__remove', classification: 'destructive' })).toBe(true);
  expect(covers(server, { ...remote, server: 'mail' })).toBe(false);
  expect(covers(server, click)).toBe(false);
});

test('a remembered approval of a call that writes never covers one of the same tool that destroys', () => {
  const kept = rememberedApprovalOf(ToolConfirmationOutcome.ProceedAlways, click)!;
  expect(approvalNeed('default', { ...click, classification: 'destructive' }, card, [kept])).toEqual({
    kind: 'ask',
    card,
  });
});

test('an approval that was given for good goes before the mode that asks for everything', () => {
  const kept = rememberedApprovalOf(ToolConfirmationOutcome.ProceedAlways, click)!;
  expect(approvalNeed('always', click, undefined, [kept])).toEqual({ kind: 'none' });
});
