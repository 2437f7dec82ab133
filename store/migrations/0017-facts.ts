import { sql, type Kysely } from 'kysely';

/** What a record tells readers of the dialects beside S1's own: a column of its own, null where there is nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table events add column facts jsonb').execute(db);
  await sql
    .raw(
      `create or replace function append_events(p_session text, p_guard jsonb, p_records jsonb, p_patch jsonb) returns bigint language plpgsql as $$
      declare s sessions; added int;
      begin
        s := guarded_session(p_session, p_guard);
        with fresh as (
          select r.value as v, row_number() over (order by r.ordinality) as n
          from jsonb_array_elements(p_records) with ordinality as r(value, ordinality)
          where not exists (select 1 from events e where e.session_id = p_session and e.event_id = r.value->>'eventId')
        )
        insert into events (session_id, seq, event_id, owner, type, at, attempt, step_index, turn, data, facts)
        select p_session, s.next_seq + n - 1, v->>'eventId', v->>'owner', v->>'type', (v->>'at')::timestamptz,
          (v->>'attempt')::int, (v->>'stepIndex')::int, (v->>'turn')::int, v->'data', v->'facts'
        from fresh;
        get diagnostics added = row_count;
        if s.closed then
          if added > 0 then raise exception 'Session % has ended; its log takes no more events.', p_session using errcode = 'SF001'; end if;
          return s.next_seq - 1;
        end if;
        update sessions set
          next_seq = s.next_seq + added,
          last_activity = clock_timestamp(),
          status = coalesce(p_patch->>'status', status),
          paused = coalesce((p_patch->>'paused')::boolean, paused),
          closed = coalesce((p_patch->>'closed')::boolean, closed),
          current_step = coalesce((p_patch->>'currentStep')::int, current_step),
          error = coalesce(p_patch->'error', error)
        where session_id = p_session;
        return s.next_seq + added - 1;
      end $$`,
    )
    .execute(db);
}
