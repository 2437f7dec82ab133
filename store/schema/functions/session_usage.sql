-- What a session has used, and what its calls under way may still come to.
create or replace function session_usage(p_session text) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'tokens', coalesce(sum(input_tokens + output_tokens), 0),
    'cost', trim_scale(coalesce(sum(cost), 0))::text,
    'pendingTokens', coalesce(sum(reserved_tokens), 0),
    'pendingCost', trim_scale(coalesce(sum(reserved_cost), 0))::text)
  from model_calls where session_id = p_session
$$;
