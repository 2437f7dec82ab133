import { z } from 'zod';
import { ToolConfirmationOutcome } from '../../../contracts/approvals/confirmation-outcome';
import { questionLines } from '../../render/approval-text';
import { isApiOutage } from '../failures';
import { withoutQuestion } from '../follow';
import { CHANGES, READS, defineMcpTool, textResult, type McpContext } from '../mcp-tool';
import { questionsOf, type Details } from '../session-view';
import { key, sessionId } from './parameters';

/** An answer arrives at a session whose worker runs; it is stored where none does. */
const ARRIVES_WITHIN_MS = 20_000;

export const listApprovals = defineMcpTool({
  name: 'list_approvals',
  title: 'List what waits for a person',
  description:
    'Calls that wait for a person’s approval, and commands of which nobody knows whether they happened, each with all that ' +
    'the person decides on.',
  parameters: z.strictObject({ session_id: sessionId.optional() }),
  hints: READS,
  async run({ session_id }, { api }) {
    const questions = await api.listApprovals(session_id === undefined ? {} : { session: session_id });
    const lines = questions.flatMap((question) => [...questionLines(question), '']);
    return textResult(lines.length === 0 ? ['Nothing waits for a person.'] : lines, { questions });
  },
});

export const answerApproval = defineMcpTool({
  name: 'answer_approval',
  title: 'Pass on a person’s answer to an approval',
  description:
    'Passes on what the person you work for has decided about a call that waits. Never decide in their place: the session ' +
    'asks because the call pays, sends, deletes or leaves the site. The first answer counts, and it holds for the call as it ' +
    'was shown.',
  parameters: z.strictObject({
    approval_id: z.string().min(1),
    decision: z.enum(['approve', 'reject']),
    reason: z.string().max(1000).optional().describe('why; of a rejection the model of the session gets it'),
    key,
  }),
  hints: { ...CHANGES, destructiveHint: true, openWorldHint: true },
  isForPerson: true,
  async run({ approval_id, decision, reason, key: own }, call) {
    const { api } = call;
    const outcome = decision === 'approve' ? ToolConfirmationOutcome.ProceedOnce : ToolConfirmationOutcome.Cancel;
    const isRejected = decision === 'reject';
    await api.decideApproval(
      approval_id,
      { outcome, by: 'an MCP client', ...(reason === undefined ? {} : { reason }) },
      own,
    );
    await arrived(call, approval_id);
    return textResult([
      isRejected ? 'The call does not run; the session goes on.' : 'The call runs now. Follow the session.',
    ]);
  },
});

export const resolveUnknown = defineMcpTool({
  name: 'resolve_unknown',
  title: 'Pass on whether a command happened',
  description:
    'For a session that waits because nobody knows whether a click or key press took effect. Look for the effect (an order, a ' +
    'message) by other means first, or ask the person you work for.',
  parameters: z.strictObject({
    session_id: sessionId,
    command_id: z.string().min(1).describe('as show_session and list_approvals name it'),
    happened: z.boolean().describe('true: go on from the page as it is; false: the command is run again'),
    key,
  }),
  hints: { ...CHANGES, destructiveHint: true, openWorldHint: true },
  isForPerson: true,
  async run({ session_id, command_id: commandId, happened, key: own }, { api }) {
    await api.resolveUnknown(session_id, { commandId, happened }, own);
    return textResult([happened ? 'The session goes on from the page as it is.' : 'The command is run again.']);
  },
});

/** Waits until the session has the answer: a client that looks next would take the question for a new one. */
async function arrived(call: McpContext, approvalId: string): Promise<void> {
  const until = AbortSignal.any([call.signal, AbortSignal.timeout(ARRIVES_WITHIN_MS)]);
  const isAsked = (now: Details): boolean => questionsOf(now).some((each) => each.approvalId === approvalId);
  try {
    const { sessionId: id } = await call.api.showApproval(approvalId);
    await withoutQuestion(call, id, isAsked, until);
  } catch (error) {
    // The answer is taken, whatever becomes of the API after it.
    if (!isApiOutage(error)) throw error;
  }
}
