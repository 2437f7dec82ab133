import {
  MEMORY_LIMITS,
  MemoryEntrySchema,
  PATTERN_OCCURRENCES,
  memoryKey,
  type MemoryEntry,
  type MemoryKind,
} from '../../contracts/steps/working-memory';
import type { Sql } from '../database/connect';

/** The entries about one page, and the size of the whole memory. */
export interface Recalled {
  entries: MemoryEntry[];
  elementsKnown: number;
  patternsLearned: number;
}

/** The same command with the same outcome on the same page, so often. */
export interface Recurrence {
  action: string;
  role: string;
  name: string;
  page: string;
  status: 'done' | 'failed';
  occurrences: number;
}

/** What a session learns. It lives as long as the session, over steps and runs of the workflow. */
export interface WorkingMemory {
  /** Stores entries; a newer one replaces the older one of its key, and each kind has a cap. Repeating it changes nothing. */
  remember(sessionId: string, entries: readonly MemoryEntry[]): Promise<void>;
  /** At most `limit` of each kind: of this page, or of no page. What can't be read any more is left out. */
  recall(sessionId: string, page: string, limit: number): Promise<Recalled>;
  /** The entries that are new or differ from the stored ones. */
  newOf(sessionId: string, entries: readonly MemoryEntry[]): Promise<MemoryEntry[]>;
  recurrences(sessionId: string, limit: number): Promise<Recurrence[]>;
}

/** Patterns are of these: a long session does not count all of its commands again in each step. */
const NEWEST_COMMANDS = 300;

export function createWorkingMemory(sql: Sql): WorkingMemory {
  const json = (value: unknown) => sql.json(value as never);
  return {
    async remember(sessionId, entries) {
      if (entries.length === 0) return;
      // One statement can't write a row twice: of equal keys the last counts.
      const newest = new Map(entries.map((entry) => [`${entry.kind} ${memoryKey(entry)}`, entry]));
      const rows = [...newest.values()].map((entry) => ({
        kind: entry.kind,
        key: memoryKey(entry),
        page: 'page' in entry ? entry.page : null,
        entry,
        confidence: entry.confidence,
      }));
      await sql`
        insert into working_memory (session_id, kind, key, page, entry, confidence)
        select ${sessionId}, kind, key, page, entry, confidence from jsonb_to_recordset(${json(rows)})
          as fresh (kind text, key text, page text, entry jsonb, confidence real)
        on conflict (session_id, kind, key) do update set
          entry = excluded.entry, confidence = excluded.confidence, at = clock_timestamp()`;
      for (const kind of new Set(entries.map((entry) => entry.kind))) await forgetBeyond(kind, sessionId);
    },
    async recall(sessionId, page, limit) {
      const [rows, [counts]] = await Promise.all([
        sql`
        select kind, entry from (
          select kind, entry, at, row_number() over (partition by kind order by confidence desc, at desc, key) as place
          from working_memory where session_id = ${sessionId} and (page is null or page = ${page})) as ranked
        where place <= ${limit} order by kind, place`,
        sql`
        select count(*) filter (where kind = 'element_discovery') as elements,
          count(*) filter (where kind = 'pattern_learning') as patterns
        from working_memory where session_id = ${sessionId}`,
      ]);
      const entries = rows.flatMap((row) => MemoryEntrySchema.safeParse(row.entry).data ?? []);
      return { entries, elementsKnown: counts!.elements, patternsLearned: counts!.patterns };
    },
    async newOf(sessionId, entries) {
      if (entries.length === 0) return [];
      const keys = entries.map(memoryKey);
      const rows = await sql<{ kind: MemoryKind; key: string; entry: MemoryEntry }[]>`
        select kind, key, entry from working_memory where session_id = ${sessionId} and key in ${sql(keys)}`;
      const known = new Set(rows.map((row) => `${row.kind} ${row.key} ${identityOf(row.entry)}`));
      return entries.filter((entry) => !known.has(`${entry.kind} ${memoryKey(entry)} ${identityOf(entry)}`));
    },
    async recurrences(sessionId, limit) {
      const rows = await sql<Recurrence[]>`
        select action, target->>'role' as role, target->>'name' as name,
          left(regexp_replace(page_url, '[?#].*$', ''), 500) as page, status, count(*) as occurrences
        from (
          select * from commands where session_id = ${sessionId} order by step_index desc, turn desc limit ${NEWEST_COMMANDS}
        ) as newest where status in ('done', 'failed') and target ? 'role'
        group by 1, 2, 3, 4, 5 having count(*) >= ${PATTERN_OCCURRENCES}
        order by count(*) desc, 1, 2, 3, 4 limit ${limit}`;
      return [...rows];
    },
  };

  async function forgetBeyond(kind: MemoryKind, sessionId: string): Promise<void> {
    await sql`
      delete from working_memory where (session_id, kind, key) in (
        select session_id, kind, key from working_memory where session_id = ${sessionId} and kind = ${kind}
        order by confidence desc, at desc, key offset ${MEMORY_LIMITS[kind]})`;
  }
}

/** Postgres keeps the members of jsonb in an order of its own. */
function identityOf(entry: MemoryEntry): string {
  return JSON.stringify(Object.entries(entry).sort(([one], [other]) => (one < other ? -1 : 1)));
}
