/**
 * `surefoot/workflows`: sessions as child workflows of your own Temporal workflows, or as operations of a Nexus service.
 * It imports the workflow SDK alone, so that it can be bundled with any workflow.
 *
 * ```ts
 * import { executeSession } from 'surefoot/workflows';
 *
 * export async function monthlyInvoice(month: string): Promise<string> {
 *   const { sessionId } = await executeSession(
 *     ['Open https://billing.example/login', 'Type ${month} into "Month"', 'Click "Create invoice"'],
 *     { variables: { month } },
 *   );
 *   return sessionId;
 * }
 * ```
 */
export {
  executeSession,
  startSession,
  type SessionHandle,
  type SessionOptions,
  type SessionWork,
} from './execute-session';
export { sessionErrorOf } from './session-error';
export { sessionProgress, type SessionProgress } from './session-progress';
export { surefootService } from './nexus';
export type { StartRequest } from '../../contracts/sessions/start-request';
export type { SessionOutcome } from '../../contracts/sessions/outcome';
