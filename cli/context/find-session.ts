import { ClientError, type SessionState, type Sessions } from '../../service/port/port';
import { isUuid } from '../../store/sessions/session-id';
import { CliError } from './exit';
import { asCalled } from '../terminal/as-called';

const SHORTEST_PREFIX = 4;
const PAGE_SIZE = 200;
/** A prefix is searched for among this many of the newest sessions. */
const MAX_SEARCHED = 2000;
const MAX_NAMED = 5;

/** Finds a session by its id, by the beginning of its id, or by the name its workflow was started under. */
export async function findSession(sessions: Sessions, name: string): Promise<SessionState> {
  const exact = await stateOf(sessions, name);
  if (exact !== undefined) return exact;
  const matches = isPrefix(name) ? await idsWithPrefix(sessions, name.toLowerCase()) : [];
  if (matches.length > 1) {
    const named = matches.slice(0, MAX_NAMED).join(', ');
    throw new CliError(`${matches.length} sessions begin with ${name}: ${named}. Give more of the id.`);
  }
  const found = matches[0] === undefined ? undefined : await stateOf(sessions, matches[0]);
  if (found === undefined) throw new CliError(`There is no session ${name}; ${asCalled('list')} lists all sessions.`);
  return found;
}

function isPrefix(name: string): boolean {
  return name.length >= SHORTEST_PREFIX && /^[0-9a-f-]+$/i.test(name) && !isUuid(name);
}

async function stateOf(sessions: Sessions, name: string): Promise<SessionState | undefined> {
  try {
    return await sessions.state(name);
  } catch (error) {
    if (error instanceof ClientError && error.kind === 'not-found') return undefined;
    throw error;
  }
}

async function idsWithPrefix(sessions: Sessions, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for (let page = 1; (page - 1) * PAGE_SIZE < MAX_SEARCHED; page += 1) {
    const { sessions: rows, total } = await sessions.list({ page, pageSize: PAGE_SIZE });
    found.push(...rows.map((row) => row.sessionId).filter((id) => id.startsWith(prefix)));
    if (page * PAGE_SIZE >= total) break;
  }
  return found;
}
