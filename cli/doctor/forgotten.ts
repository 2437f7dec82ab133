import { join } from 'node:path';
import type { Sql } from '../../store/database/connect';
import { createIntentWitness } from '../../store/journal/intent-witness';
import { asCalled } from '../terminal/as-called';
import { finding, type Finding } from './check';

const NAME = 'Memory';

/**
 * Checks whether the database has forgotten what this host has noted, because it was put back to an earlier time, and which
 * sessions wait for a person because of that.
 */
export async function checkForgotten(sql: Sql, home: string): Promise<Finding> {
  const held = await sql<{ sessionId: string }[]>`
    select session_id from sessions where not closed
      and (waiting_for->>'pausedFor' = 'rolled-back-store' or waiting_for->'unknown' ? 'witnesses') order by created_at`;
  const behind = await forgottenHere(sql, home);
  if (behind.length > 0)
    return finding(
      'bad',
      NAME,
      `The database was put back to an earlier time: it has forgotten commands that this host has begun, of session ${behind.join(', ')}. ` +
        'They are entered again at the next command of each session, which then waits for a person; nothing is repeated.',
    );
  if (held.length > 0)
    return finding(
      'poor',
      NAME,
      `The database had forgotten commands of session ${held.map(({ sessionId }) => sessionId).join(', ')}, and a person is asked: ` +
        `${asCalled('show')} says what is known, ${asCalled('resolve-unknown')} or ${asCalled('resume')} answers.`,
    );
  return finding('good', NAME, 'the database knows all that this host has noted');
}

/** Sessions that have not ended, or whose row is gone. A database that has the newest command has them all. */
async function forgottenHere(sql: Sql, home: string): Promise<string[]> {
  const witness = createIntentWitness(join(home, 'witness'));
  const behind: string[] = [];
  for (const { sessionId } of await witness.list()) {
    const newest = (await witness.of(sessionId)).intents.at(-1);
    if (newest === undefined) continue;
    const { commandId } = newest.intent;
    const [row] = await sql<{ isKnown: boolean }[]>`
      select exists (select from sessions where session_id = ${sessionId} and closed)
        or exists (select from commands where session_id = ${sessionId} and command_id = ${commandId}) as is_known`;
    if (row?.isKnown !== true) behind.push(sessionId);
  }
  return behind;
}
