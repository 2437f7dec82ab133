import { sql, type Kysely } from 'kysely';

/**
 * What the upkeep looks for, and the time of a record: the writer's word holds where it fits between the record before
 * and the database's now, else the database's now does. As a trigger, so that it holds for every function that appends.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table sessions add column expired_at timestamptz`,
  `create index sessions_ended on sessions (last_activity) where closed`,

  `create function events_in_time() returns trigger language plpgsql as $$
  declare earliest timestamptz; latest timestamptz := clock_timestamp();
  begin
    select at into earliest from events where session_id = new.session_id and seq = new.seq - 1;
    if not found then select created_at into earliest from sessions where session_id = new.session_id; end if;
    if new.at < earliest or new.at > latest then new.at := greatest(earliest, latest); end if;
    return new;
  end $$`,
  `create trigger events_in_time before insert on events for each row execute function events_in_time()`,
];
