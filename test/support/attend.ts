import { isOpen } from '../../contracts/sessions/session';
import { ToolConfirmationOutcome } from '../../contracts/approvals/confirmation-outcome';
import { eventually } from './eventually';
import { ifHeard } from './until-taken';
import type { WholeStack } from './whole-stack';

/**
 * Answers for a person until the session has ended, and resolves to the status that it ended with. Approves what waits
 * for approval; of a command that nobody knows about, says that it happened once the shop has counted the order.
 * @param onAsked gets each question once, in their order: the title of a card, or `unknown-outcome`
 */
export async function attend(
  stack: WholeStack,
  { sessionId, run }: { sessionId: string; run: string },
  { onAsked = () => {}, limitMs = 200_000 }: { onAsked?: (question: string) => void; limitMs?: number } = {},
): Promise<string> {
  const heard = new Set<string>();
  const answered = new Set<string>();
  return await eventually(
    `the end of ${sessionId}`,
    async () => {
      for (const asked of await stack.client.approvals(sessionId)) {
        if (asked.kind === 'secret') throw new Error(`Nobody here answers: ${asked.message}`);
        const id = asked.kind === 'approval' ? asked.approvalId : asked.unknown.commandId;
        if (answered.has(id)) continue;
        if (!heard.has(id)) onAsked(asked.kind === 'approval' ? asked.card.title : asked.kind);
        heard.add(id);
        const answering =
          asked.kind === 'approval'
            ? stack.client.decideApproval({ approvalId: id, outcome: ToolConfirmationOutcome.ProceedOnce })
            : stack.client.resolveUnknown(sessionId, {
                commandId: id,
                happened: (await stack.orders(run)).length > 0,
              });
        // While those who would take it are dead, and after an answer that was taken and not confirmed, it is asked again.
        if ((await ifHeard(answering)) === undefined) continue;
        answered.add(id);
      }
      const { session } = await stack.client.get(sessionId);
      return isOpen(session.status) ? undefined : session.status;
    },
    limitMs,
  );
}
