-- search.feature_names: every search calls this function, so it is written in PL/pgSQL, which caches the plan.
create or replace function search.feature_names(p_kind text)
returns text[]
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    return (
        select s.features
        from search.kind as k
        inner join search.feature_set as s on s.name = k.feature_set
        where k.name = p_kind
    );
end
$function$;
comment on function search.feature_names(text) is
'Lists the features from which the score of a card is computed. The arrays in search.candidate and search.found have '
'the same order. Argument p_kind: kind of card. Returns the names of the features. To find the position of a feature, '
'use array_position.';
grant execute on function search.feature_names to qm_reader;
