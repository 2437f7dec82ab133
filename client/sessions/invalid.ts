import { issuesText, type Issue } from '../../contracts/errors/issues';
import { ClientError } from '../port';

export function invalid(what: string, issues: readonly Issue[]): ClientError {
  return new ClientError('invalid', 'SP001', `${what}: ${issuesText(issues)}`, { issues });
}
