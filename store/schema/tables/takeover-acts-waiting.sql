-- Since when an act waits, whatever else is asked for meanwhile.
alter table takeover_acts add column added_at timestamptz not null default clock_timestamp();
