-- A person is asked for the value, as a code or as a link. The answers are messages of the session, sealed there.
alter table secrets add column asks_for text check (asks_for in ('code', 'link'));

-- Which command an answer was used by: it is used once, by whatever attempt at that command.
create table used_answers (
  session_id text not null references sessions on delete cascade,
  question_id text not null,
  command_id text not null,
  primary key (session_id, question_id)
);
