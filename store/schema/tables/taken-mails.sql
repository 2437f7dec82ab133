-- Which question a mail has answered: it answers one, of whatever session. A mailbox is a keyed digest here.
create table taken_mails (
  mailbox text not null,
  mail text not null,
  session_id text not null references sessions on delete cascade,
  question_id text not null,
  primary key (mailbox, mail)
);
create index on taken_mails (session_id);
