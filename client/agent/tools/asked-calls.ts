import type { ClientQuestion } from '../../../contracts/tools/client-question';
import type { ILogger } from '../../../contracts/tasks/chat';
import type { ITool, ToolCallConfirmationDetails, ToolConfirmationPayload } from '../../../contracts/tools/tool';
import { ToolConfirmationOutcome } from '../../../contracts/approvals/confirmation-outcome';
import { errorMessage } from '../../../contracts/errors/error-message';
import type { ClientCall } from './client-calls';

/** Calls of which this process has said that a person is to be asked. The question waits in the session. */
export class AskedCalls {
  private readonly details = new Map<string, ToolCallConfirmationDetails>();

  constructor(
    private readonly toolOf: (name: string) => ITool | undefined,
    private readonly logger: ILogger,
  ) {}

  /** Says what a person is to be shown before the call runs; runs nothing. */
  async ask({ callId, name, args }: ClientCall, signal: AbortSignal): Promise<ClientQuestion> {
    const tool = this.toolOf(name);
    try {
      // What is wrong with the call is said when it is to run.
      if (tool === undefined || tool.validateToolParams(args) !== null) return {};
      const details = await tool.shouldConfirmExecute(args, signal);
      if (details === false) return {};
      this.details.set(callId, details);
      const { onConfirm: _onConfirm, ...card } = details;
      return { card };
    } catch (error) {
      return { error: `The confirmation could not be requested: ${errorMessage(error)}` };
    }
  }

  /** The details of a call that runs now; undefined where another process was asked. */
  take(callId: string): ToolCallConfirmationDetails | undefined {
    const details = this.details.get(callId);
    this.details.delete(callId);
    return details;
  }

  /** Ends a question whose call does not run: its tool hears of a rejection (S2.A16). */
  async end(callId: string, isRejected: boolean): Promise<void> {
    const details = this.take(callId);
    if (details === undefined || !isRejected) return;
    try {
      await confirmWith(details, ToolConfirmationOutcome.Cancel);
    } catch (error) {
      this.logger.warn(`The tool of ${callId} did not take the rejection: ${errorMessage(error)}`);
    }
  }
}

/** S2.R7: a payload goes with edits only. */
export async function confirmWith(
  details: ToolCallConfirmationDetails,
  outcome: ToolConfirmationOutcome,
  payload?: ToolConfirmationPayload,
): Promise<void> {
  await (details.type === 'edit' ? details.onConfirm(outcome, payload) : details.onConfirm(outcome));
}
