-- What the page asks the person who has taken it over, without secrets, and the element that asks.
alter table takeovers add column asks jsonb;
