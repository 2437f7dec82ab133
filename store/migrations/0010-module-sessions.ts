import { sql, type Kysely } from 'kysely';

/**
 * The sessions of the modules, made and moved by triggers: in the same transaction as the fact, whoever writes it, so
 * no kill comes between the two. Facts that others look up (a status, a link, a session that is new or gone) are
 * announced by NOTIFY inside of it as well; appends are not, because NOTIFY takes a lock for the whole commit.
 *
 * A module session of an illegal status stays where it is and shows in the integrity report: the session itself is
 * never held up by its modules.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table modules (module_id text primary key, place int not null, publishes_streams boolean not null default false,
    works_on_replies boolean not null default false)`,
  `insert into modules (module_id, place, publishes_streams, works_on_replies) values
    ('step-processor', 1, false, false), ('task-loop', 2, false, false), ('executor', 3, false, false),
    ('executor-streamer', 4, true, false), ('ai-integration', 5, false, true), ('ai-context-manager', 6, false, true),
    ('ai-schema-manager', 7, false, true), ('ai-prompt-manager', 8, false, true), ('frontend-api', 9, false, false)`,

  // The room that is left free lets a new last_activity be written beside the old one, without touching an index.
  `create table module_sessions (
    session_id text not null references sessions on delete cascade,
    module_id text not null,
    module_session_id text not null,
    status text not null,
    config jsonb not null default '{}',
    created_at timestamptz not null default clock_timestamp(),
    last_activity timestamptz not null default clock_timestamp(),
    primary key (session_id, module_id)
  ) with (fillfactor = 60)`,
  `create index module_sessions_by_module on module_sessions (module_id, status)`,
  `create table module_links (
    session_id text not null references sessions on delete cascade,
    module_id text not null,
    module_session_id text not null,
    linked_at timestamptz not null default clock_timestamp(),
    primary key (session_id, module_id)
  )`,

  `create function create_module_sessions(s sessions) returns void language plpgsql as $$
  begin
    insert into module_sessions (session_id, module_id, module_session_id, status, created_at, last_activity)
    select s.session_id, m.module_id,
      case m.module_id when 'executor' then s.executor_session_id when 'executor-streamer' then s.stream_id
        else gen_random_uuid()::text end,
      s.status, s.created_at, s.created_at
    from modules m
    where not (m.publishes_streams and coalesce(s.plan->'config'->'enableStreaming' = 'false', false))
    order by m.place;
    insert into module_links (session_id, module_id, module_session_id)
    select session_id, module_id, module_session_id from module_sessions where session_id = s.session_id;
  end $$`,
  `select create_module_sessions(s) from sessions s where s.expired_at is null and s.status <> 'CLEANUP'`,

  `create function session_created() returns trigger language plpgsql as $$
  begin
    perform create_module_sessions(new);
    perform pg_notify('surefoot_sessions', new.session_id);
    return null;
  end $$`,
  `create trigger sessions_created after insert on sessions for each row execute function session_created()`,

  `create function session_moved() returns trigger language plpgsql as $$
  begin
    if new.status = 'CLEANUP' and old.status <> 'CLEANUP' then
      delete from module_links where session_id = new.session_id;
      delete from module_sessions where session_id = new.session_id;
    elsif new.status <> old.status then
      update module_sessions m set status = new.status where m.session_id = new.session_id and exists (
        select 1 from status_changes c where c.old_status = m.status and c.new_status = new.status);
    end if;
    perform pg_notify('surefoot_sessions', new.session_id);
    return null;
  end $$`,
  `create trigger sessions_moved after update on sessions for each row
    when (old.status is distinct from new.status or old.closed is distinct from new.closed
      or old.error is distinct from new.error or old.expired_at is distinct from new.expired_at)
    execute function session_moved()`,
  `create trigger sessions_replanned after update of plan on sessions for each row execute function session_moved()`,

  `create function session_announced() returns trigger language plpgsql as $$
  begin
    perform pg_notify('surefoot_sessions', old.session_id);
    return null;
  end $$`,
  `create trigger sessions_gone after delete on sessions for each row execute function session_announced()`,
  `create trigger module_sessions_gone after delete on module_sessions for each row execute function session_announced()`,
  `create trigger module_links_gone after delete on module_links for each row execute function session_announced()`,
  `create trigger module_sessions_status before update of status on module_sessions
    for each row when (old.status is distinct from new.status) execute function refuse_illegal_status()`,
  `create trigger module_sessions_moved after update of status on module_sessions
    for each row when (old.status is distinct from new.status) execute function session_announced()`,

  // To the second, so that most appends write no further row.
  `create function events_published() returns trigger language plpgsql as $$
  begin
    update module_sessions m set last_activity = f.at
    from (select session_id, owner, max(at) as at from fresh group by session_id, owner) as f
    where m.session_id = f.session_id and m.module_id = f.owner and m.last_activity < f.at
      and (m.last_activity < f.at - interval '1 second' or m.last_activity = m.created_at);
    return null;
  end $$`,
  `create trigger events_published after insert on events referencing new table as fresh
    for each statement execute function events_published()`,

  // Those who gather, word, ask and check a question publish nothing themselves.
  `create function reply_worked_on() returns trigger language plpgsql as $$
  begin
    update module_sessions m set last_activity = clock_timestamp() from modules k
    where m.session_id = new.session_id and k.module_id = m.module_id and k.works_on_replies;
    return null;
  end $$`,
  `create trigger replies_worked_on after insert on replies for each row execute function reply_worked_on()`,
];
