import { ClientError, type SessionState, type Sessions } from '../../service/port/port';
import { CliError } from './exit';
import { asCalled } from '../terminal/as-called';

/** Finds a session by its id, by the beginning of its id, or by the name its workflow was started under. */
export async function findSession(sessions: Sessions, name: string): Promise<SessionState> {
  try {
    return await sessions.state(name);
  } catch (error) {
    if (!(error instanceof ClientError) || error.kind !== 'not-found') throw error;
    throw new CliError(`${error.message} ${asCalled('list')} lists all sessions.`);
  }
}
