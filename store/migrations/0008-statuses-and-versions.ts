import { sql, type Kysely } from 'kysely';

/**
 * Which changes of a session's status are legal (S1.A1), refused with SF005 whoever asks and however many at once: the
 * trigger sees the row as it is under its lock. And which versions run and have made what is stored.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table status_changes (
    old_status text not null,
    new_status text not null,
    primary key (old_status, new_status)
  )`,
  `insert into status_changes (old_status, new_status) values
    ('INITIALIZING', 'ACTIVE'), ('INITIALIZING', 'FAILED'), ('INITIALIZING', 'CANCELLED'), ('INITIALIZING', 'CLEANUP'),
    ('ACTIVE', 'PAUSED'), ('ACTIVE', 'COMPLETED'), ('ACTIVE', 'FAILED'), ('ACTIVE', 'CANCELLED'), ('ACTIVE', 'CLEANUP'),
    ('PAUSED', 'ACTIVE'), ('PAUSED', 'FAILED'), ('PAUSED', 'CANCELLED'), ('PAUSED', 'CLEANUP'),
    ('COMPLETED', 'CLEANUP'), ('FAILED', 'CLEANUP'), ('CANCELLED', 'CLEANUP')`,
  `create function refuse_illegal_status() returns trigger language plpgsql as $$
  begin
    if not exists (select 1 from status_changes c where c.old_status = old.status and c.new_status = new.status) then
      raise exception 'Session % is % and can not become %.', old.session_id, old.status, new.status using errcode = 'SF005';
    end if;
    return new;
  end $$`,
  `create trigger sessions_status before update of status on sessions
    for each row when (old.status is distinct from new.status) execute function refuse_illegal_status()`,

  `alter table sessions add column version text not null default '1.0.0'`,
  `create table processes (
    process_id text primary key,
    module_id text not null,
    version text not null,
    supports jsonb not null,
    seen_at timestamptz not null default clock_timestamp()
  )`,
];
