-- What models wrote down, without the replies in which they did not.
create index replies_with_notes on replies (session_id, step_index, turn) where reply->'context'->>'memory' <> '';
