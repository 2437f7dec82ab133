import { sql, type Kysely } from 'kysely';

/**
 * A turn's begin and its record are one: of two attempts the log has the one first that did not know of the other.
 * False for a turn that has its reply: nothing is begun any more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create function begin_turn(p_session text, p_guard jsonb, p_step int, p_turn int, p_first jsonb, p_again jsonb) returns boolean language plpgsql as $$
      declare added int;
      begin
        perform guarded_session(p_session, p_guard);
        if exists (select 1 from messages where session_id = p_session and step_index = p_step and turn = p_turn and kind = 'reply') then
          return false;
        end if;
        insert into messages (session_id, step_index, turn, place, kind, body)
          values (p_session, p_step, p_turn, -1, 'begun', '{}') on conflict do nothing;
        get diagnostics added = row_count;
        perform append_events(p_session, p_guard, case when added = 1 then p_first else p_again end, '{}');
        return true;
      end $$`,
    )
    .execute(db);
}
