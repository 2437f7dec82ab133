import { sql, type Kysely } from 'kysely';

/**
 * Tables and the three functions of the hot path. A function is one round trip and one transaction: it locks the
 * session's row first, so that numbers are given in commit order, without gaps, and no two writers of a session mix.
 *
 * Their refusals carry SQLSTATEs of ours: SF404 unknown session, SF001 closed, SF002 another run has taken over,
 * SF003 a newer lease epoch exists, SF004 paused (store/database/refusals.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table sessions (
    session_id text primary key,
    workflow_id text not null unique,
    run_id text,
    status text not null,
    paused boolean not null default false,
    closed boolean not null default false,
    next_seq bigint not null default 1,
    epoch int not null default 0,
    executor_session_id text not null,
    stream_id text not null,
    ai_connection_id text not null,
    plan jsonb not null,
    current_step int not null default 0,
    error jsonb,
    created_at timestamptz not null default now(),
    last_activity timestamptz not null default now(),
    checked_at timestamptz not null default now()
  )`,
  `create index sessions_by_creation on sessions (created_at desc, session_id)`,
  `create index sessions_open on sessions (checked_at) where not closed`,

  `create table events (
    session_id text not null references sessions on delete cascade,
    seq bigint not null,
    event_id text not null,
    owner text not null,
    type text not null,
    at timestamptz not null,
    attempt int,
    step_index int,
    turn int,
    data jsonb not null,
    primary key (session_id, seq),
    unique (session_id, event_id)
  )`,

  `create table commands (
    session_id text not null references sessions on delete cascade,
    command_id text not null,
    step_index int not null,
    turn int not null,
    position int not null,
    action text not null,
    parameters jsonb not null,
    effect text not null,
    target jsonb,
    page_url text,
    epoch int not null,
    attempts int not null default 1,
    status text not null,
    response jsonb,
    error jsonb,
    evidence jsonb,
    dom_id text,
    intended_at timestamptz not null default now(),
    finished_at timestamptz,
    primary key (session_id, command_id)
  )`,
  `create index commands_in_order on commands (session_id, step_index, turn, position)`,

  `create table replies (
    session_id text not null references sessions on delete cascade,
    step_index int not null,
    turn int not null,
    reply jsonb not null,
    model text not null,
    usage jsonb not null,
    commands jsonb not null,
    at timestamptz not null default now(),
    primary key (session_id, step_index, turn)
  )`,

  `create table looks (
    session_id text primary key references sessions on delete cascade,
    look jsonb not null,
    at timestamptz not null default now()
  )`,

  `create table step_results (
    session_id text not null references sessions on delete cascade,
    step_index int not null,
    status text not null,
    reasoning text not null,
    duration_ms int not null,
    error jsonb,
    page jsonb not null,
    primary key (session_id, step_index)
  )`,

  `create table variables (
    session_id text not null references sessions on delete cascade,
    name text not null,
    value text,
    env text,
    previous_value text,
    source text not null,
    step_index int,
    at timestamptz not null default now(),
    primary key (session_id, name)
  )`,

  `create table artifacts (
    session_id text not null references sessions on delete cascade,
    artifact_id text not null,
    kind text not null,
    media_type text not null,
    path text not null,
    bytes int not null,
    sha256 text not null,
    step_index int,
    command_id text,
    facts jsonb not null default '{}',
    at timestamptz not null default now(),
    primary key (session_id, artifact_id)
  )`,
  `create index artifacts_by_kind on artifacts (session_id, kind, at)`,

  `create table leases (
    session_id text primary key references sessions on delete cascade,
    host_id text not null,
    worker_id text not null,
    epoch int not null,
    target_id text,
    acquired_at timestamptz not null default now()
  )`,

  `create table hosts (
    host_id text primary key,
    keeper_url text not null,
    keeper_token text not null,
    seen_at timestamptz not null default now()
  )`,

  `create function guarded_session(p_session text, p_guard jsonb) returns sessions language plpgsql as $$
  declare s sessions;
  begin
    select * into s from sessions where session_id = p_session for update;
    if not found then raise exception 'There is no session %.', p_session using errcode = 'SF404'; end if;
    if p_guard ? 'runId' and s.run_id is distinct from p_guard->>'runId' then
      raise exception 'Session % belongs to another Temporal run now.', p_session using errcode = 'SF002';
    end if;
    if p_guard ? 'epoch' and s.epoch <> (p_guard->>'epoch')::int then
      raise exception 'Session % has a newer browser lease (epoch %, this one is %).', p_session, s.epoch, p_guard->>'epoch' using errcode = 'SF003';
    end if;
    return s;
  end $$`,

  `create function append_events(p_session text, p_guard jsonb, p_records jsonb, p_patch jsonb) returns bigint language plpgsql as $$
  declare s sessions; added int;
  begin
    s := guarded_session(p_session, p_guard);
    with fresh as (
      select r.value as v, row_number() over (order by r.ordinality) as n
      from jsonb_array_elements(p_records) with ordinality as r(value, ordinality)
      where not exists (select 1 from events e where e.session_id = p_session and e.event_id = r.value->>'eventId')
    )
    insert into events (session_id, seq, event_id, owner, type, at, attempt, step_index, turn, data)
    select p_session, s.next_seq + n - 1, v->>'eventId', v->>'owner', v->>'type', (v->>'at')::timestamptz,
      (v->>'attempt')::int, (v->>'stepIndex')::int, (v->>'turn')::int, v->'data'
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

  `create function journal_intend(p_session text, p_guard jsonb, p_command jsonb, p_records jsonb) returns bigint language plpgsql as $$
  declare s sessions;
  begin
    s := guarded_session(p_session, p_guard);
    if s.closed then raise exception 'Session % has ended; no command starts any more.', p_session using errcode = 'SF001'; end if;
    if s.paused then raise exception 'Session % is paused; no command starts until it is resumed.', p_session using errcode = 'SF004'; end if;
    insert into commands (session_id, command_id, step_index, turn, position, action, parameters, effect, target, page_url, epoch, status)
    values (p_session, p_command->>'commandId', (p_command->>'stepIndex')::int, (p_command->>'turn')::int,
      (p_command->>'position')::int, p_command->>'action', p_command->'parameters', p_command->>'effect',
      p_command->'target', p_command->>'pageUrl', s.epoch, 'intended')
    on conflict (session_id, command_id) do update
      set epoch = excluded.epoch, attempts = commands.attempts + 1, target = excluded.target, page_url = excluded.page_url,
          status = 'intended', intended_at = clock_timestamp();
    return append_events(p_session, '{}', p_records, '{}');
  end $$`,

  `create function journal_finish(p_session text, p_guard jsonb, p_outcome jsonb, p_records jsonb, p_variable jsonb) returns bigint language plpgsql as $$
  begin
    perform guarded_session(p_session, p_guard);
    update commands set
      status = p_outcome->>'status', response = p_outcome->'response', error = p_outcome->'error',
      evidence = p_outcome->'evidence', dom_id = p_outcome->>'domId', finished_at = clock_timestamp()
    where session_id = p_session and command_id = p_outcome->>'commandId';
    if p_variable is not null then
      insert into variables (session_id, name, value, source, step_index)
      values (p_session, p_variable->>'name', p_variable->>'value', p_variable->>'source', (p_variable->>'stepIndex')::int)
      on conflict (session_id, name) do update
        set previous_value = variables.value, value = excluded.value, env = null, source = excluded.source,
            step_index = excluded.step_index, at = clock_timestamp();
    end if;
    return append_events(p_session, '{}', p_records, '{}');
  end $$`,
];
