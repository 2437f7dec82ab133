import { issuesText, type Issue } from '../../contracts/errors/issues';
import { ClientError } from '../port/port';

export function invalid(what: string, issues: readonly Issue[]): ClientError {
  return new ClientError('invalid', 'SP001', `${what}: ${issuesText(issues)}`, { issues });
}

/** Throws where a request goes below a floor of the operator's. */
export function refuseBelowFloor(what: string, issues: readonly Issue[]): void {
  if (issues.length > 0) throw new ClientError('forbidden', 'SP001', `${what}: ${issuesText(issues)}`, { issues });
}
