-- What the page showed around an act of a person, from which a recipe learns it.
alter table commands add column sighting jsonb;
