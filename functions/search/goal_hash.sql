create or replace function search.goal_hash(p_goal text)
returns bytea
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select sha256(convert_to(lower(p_goal collate core.c_utf8), 'UTF8'));
$function$;
comment on function search.goal_hash(text) is
'Computes the hash by which teachings for the same goal are found. Argument p_goal: the goal. Returns the SHA-256 of '
'the goal in lower case.';
grant execute on function search.goal_hash to qm_reader;
