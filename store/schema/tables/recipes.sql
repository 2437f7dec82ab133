-- How steps are done without a model. The key is the tenant, the text of the step or task, the pattern of its page and the
-- names of its variables.
create table recipes (
  recipe_id text primary key,
  tenant text not null,
  instruction text not null,
  is_task boolean not null default false,
  page text not null,
  variables jsonb not null,
  -- Of the newest version, which may be erased: whoever adds one names the version that it replaces.
  version int not null,
  -- The version that is used; null before the first promotion and once the recipe was retired.
  promoted int,
  used int not null default 0,
  healed int not null default 0,
  failed int not null default 0,
  failed_in_a_row int not null default 0,
  at timestamptz not null default clock_timestamp()
);

-- Every version of a recipe. The session that it was learnt from may be gone.
create table recipe_versions (
  recipe_id text not null references recipes on delete cascade,
  version int not null,
  status text not null,
  -- JSON as text: it may hold what jsonb refuses, and its digest is of these characters.
  rounds text not null,
  digest text not null,
  session_id text not null,
  step_index int not null,
  -- Who let it be used, oldest first.
  promotions jsonb not null default '[]',
  at timestamptz not null default clock_timestamp(),
  primary key (recipe_id, version)
);

-- What became of a recipe in one step: each use is counted once, however often its activity is repeated.
create table recipe_uses (
  session_id text not null references sessions on delete cascade,
  step_index int not null,
  recipe_id text not null,
  version int not null,
  outcome text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (session_id, step_index)
);

-- The look of the page that each reply was given for, by which the steps of a session are learnt.
alter table replies add column sighting jsonb;
