import { z } from 'zod';
import { ToolClassificationSchema } from '../commands/tool-classification';
import { ToolConfirmationOutcome } from './confirmation-outcome';
import { bytesOf } from '../json';
import { enumOf } from '../enum-of';
import { ApprovalViewSchema } from '../browsers/approval-view';
import { RememberedApprovalSchema } from './remembered-approval';
import { AskedSecretSchema } from './asked-secret';
import { UnknownOutcomeSchema } from './unknown-outcome';

const title = z.string();

/** S2.10 without its function: what a person sees, in a form that logs, stores and APIs can carry. */
export const ConfirmationCardSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('edit'), title, fileName: z.string(), fileDiff: z.string() }),
  z.object({ type: z.literal('exec'), title, command: z.string(), rootCommand: z.string() }),
  z.object({
    type: z.literal('mcp'),
    title,
    serverName: z.string(),
    toolName: z.string(),
    toolDisplayName: z.string(),
  }),
  z.object({ type: z.literal('info'), title, prompt: z.string(), urls: z.array(z.string()).optional() }),
]);
export type ConfirmationCard = z.infer<typeof ConfirmationCardSchema>;

/** A call that waits, or waited, for a person. `hash` binds the answer to tool, arguments and page. */
export const ApprovalSchema = z.object({
  approvalId: z.string(),
  sessionId: z.string(),
  callId: z.string(),
  /** The MCP server of the tool. */
  server: z.string().optional(),
  toolName: z.string(),
  args: z.record(z.string(), z.unknown()),
  classification: ToolClassificationSchema,
  card: ConfirmationCardSchema,
  hash: z.string(),
  pageUrl: z.string().optional(),
  /** The task that it is a call of. */
  task: z.string().optional(),
  /** The part of the page that the answer is for. */
  view: ApprovalViewSchema.optional(),
  /** The newest picture of the page when the question was asked, among the screenshots of the session. */
  screenshotId: z.string().optional(),
  /** What has changed since an earlier question about this call was answered with yes. */
  changes: z.array(z.string()).optional(),
  stepIndex: z.number(),
  turn: z.number().meta({ description: 'Turn of the model in the session, from 1, as in the event formats' }),
  status: z.enum(['pending', 'approved', 'rejected', 'expired', 'cancelled']),
  outcome: enumOf<ToolConfirmationOutcome>(ToolConfirmationOutcome).optional(),
  /** Why it was answered so, or why it expired or was cancelled. */
  reason: z.string().optional(),
  /** Who has answered, as they named themselves. */
  by: z.string().optional(),
  editedArgs: z.record(z.string(), z.unknown()).optional(),
  /** What its yes covers for the rest of the session, until it is revoked. */
  remembered: RememberedApprovalSchema.optional(),
  /** ISO-8601. */
  revokedAt: z.string().optional(),
  /** Who has revoked it, as they named themselves. */
  revokedBy: z.string().optional(),
  /** ISO-8601. */
  askedAt: z.string(),
  expiresAt: z.string().optional(),
  decidedAt: z.string().optional(),
});
export type Approval = z.infer<typeof ApprovalSchema>;

/** `standing`: approved for the rest of a session that goes on, and not revoked. */
export const ApprovalFilterSchema = z.enum([...ApprovalSchema.shape.status.options, 'standing']);
export type ApprovalFilter = z.infer<typeof ApprovalFilterSchema>;

/**
 * A person's answer: an outcome of S2.5. With modify_with_editor, `args` replace all arguments, and `newContent` (S2.4)
 * replaces the argument `content` alone; `reason` goes with every answer.
 */
export const DecideApprovalRequestSchema = z.strictObject({
  approvalId: z.string().min(1).meta({ description: 'Id of the approval' }),
  outcome: enumOf<ToolConfirmationOutcome>(ToolConfirmationOutcome),
  args: z.record(z.string(), z.unknown()).optional(),
  newContent: z.string().optional(),
  reason: z.string().max(1000).optional(),
  /** Who answers, for the log. */
  by: z.string().min(1).max(200).optional(),
});
export type DecideApprovalRequest = z.infer<typeof DecideApprovalRequestSchema>;

/** Of JSON; more would make the history of a session too large. */
const MAX_EDIT_BYTES = 200_000;

/** Finds what is wrong between fields. */
export function decisionIssues({ outcome, args, newContent }: DecideApprovalRequest): {
  path: string;
  message: string;
}[] {
  const isEdit = outcome === ToolConfirmationOutcome.ModifyWithEditor;
  const edited = Object.entries({ args, newContent }).filter(([, value]) => value !== undefined);
  const issues = isEdit
    ? edited
        .filter(([, value]) => bytesOf(value) > MAX_EDIT_BYTES)
        .map(([path]) => ({ path, message: `expected at most ${MAX_EDIT_BYTES} bytes as JSON` }))
    : edited.map(([path]) => ({ path, message: `goes with ${ToolConfirmationOutcome.ModifyWithEditor} only` }));
  if (edited.length > 1) issues.push({ path: 'newContent', message: 'expected args or newContent, not both' });
  return issues;
}

/** The commands for both answers, to be pasted. */
export function approvalCommand(approvalId: string): string {
  return `surefoot approve ${approvalId}, or surefoot reject ${approvalId} --reason "…"`;
}

const answerable = {
  sessionId: z.string(),
  message: z.string(),
  answerWith: z.object({ cli: z.string(), rest: z.string() }),
};

/** What a person is asked now: about a call that has not run, about a command whose outcome is unknown, or for a secret. */
export const PendingQuestionSchema = z.discriminatedUnion('kind', [
  ApprovalSchema.extend({
    kind: z.literal('approval'),
    /** Of a pending one. */
    answerWith: z.object({ cli: z.string(), rest: z.string() }).optional(),
  }),
  z.object({ kind: z.literal('unknown-outcome'), ...answerable, unknown: UnknownOutcomeSchema }),
  z.object({ kind: z.literal('secret'), ...answerable, secret: AskedSecretSchema }),
]);
export type PendingQuestion = z.infer<typeof PendingQuestionSchema>;

/** How a call that waits is decided. */
export function approvalAnswer(approvalId: string): { cli: string; rest: string } {
  const rest = `POST /v1/approvals/${approvalId}/decision {"outcome": "proceed_once"|"cancel"|…}`;
  return { cli: approvalCommand(approvalId), rest };
}

export function toPendingApproval(approval: Approval): Extract<PendingQuestion, { kind: 'approval' }> {
  return { kind: 'approval', ...approval, answerWith: approvalAnswer(approval.approvalId) };
}
