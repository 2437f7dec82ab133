import { defineQuery } from '@temporalio/workflow';
import { PROGRESS_QUERY, type SessionProgress } from '../../contracts/sessions/progress';

export type { SessionProgress };

/**
 * The query that a session answers with how far it is. Workflows can't send queries; a program can:
 * `await client.workflow.getHandle(workflowId).query(sessionProgress)`.
 */
export const sessionProgress = defineQuery<SessionProgress>(PROGRESS_QUERY);
