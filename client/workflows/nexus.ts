import { operation, service } from 'nexus-rpc';
import type { SessionOutcome } from '../../contracts/sessions/outcome';
import type { StartRequest } from '../../contracts/sessions/start-request';

/**
 * The Nexus service of the engine workers, for workflows of other namespaces. Its one operation runs a session and returns
 * its outcome; cancelling the operation cancels the session.
 */
export const surefootService = service('surefoot', {
  executeSession: operation<StartRequest, SessionOutcome>(),
});
