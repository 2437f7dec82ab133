import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, startChild } from '@temporalio/workflow';
import { WEBHOOK_WORKFLOW, webhookWorkflowId } from '../../contracts/sessions/webhook';

/**
 * Starts the report of a session's end as a workflow of its own, so that the session does not wait for its receiver. A
 * session without a webhook issues no command here, so histories from before there were webhooks replay.
 */
export async function startWebhookDelivery(sessionId: string): Promise<void> {
  try {
    await startChild(WEBHOOK_WORKFLOW, {
      workflowId: webhookWorkflowId(sessionId),
      args: [{ sessionId }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    });
  } catch (error) {
    // The reconciler has started it.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
