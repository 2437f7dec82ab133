-- Names the plan as it is: another one after each change, so that who has read a plan need not read it again.
alter table sessions add column plan_version uuid not null default gen_random_uuid();
