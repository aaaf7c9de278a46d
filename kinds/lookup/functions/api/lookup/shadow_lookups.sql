create or replace function api.shadow_lookups(lookup text, queries jsonb, active_only boolean default true)
returns table (number integer, profile text, id text, score real, match boolean)
language plpgsql
volatile parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_id constant integer := lookup.require_table(shadow_lookups.lookup);
    v_threshold real;
    v_candidates integer;
begin
    select s.threshold, s.candidates
    into v_threshold, v_candidates
    from lookup.shadow as s
    where s.table_id = v_table_id;
    if v_candidates is null then
        return;
    end if;
    perform set_config('qm.lookup_shadow', 'on', true);
    return query
    select
        q.position::integer, (lookup.profiles_of(shadow_lookups.lookup))[1], a.id, a.score, coalesce(a.match, false)
    from jsonb_array_elements(shadow_lookups.queries) with ordinality as q (query, position)
    left join lateral lookup.answer(
        v_table_id,
        q.query ->> 'query',
        1,
        v_candidates,
        p_language => q.query ->> 'language',
        p_active_only => shadow_lookups.active_only,
        p_domain => q.query ->> 'domain',
        p_properties => q.query -> 'properties',
        p_strict => coalesce((q.query ->> 'strict')::boolean, false),
        p_threshold => coalesce((q.query ->> 'threshold')::real, v_threshold)
    ) as a on true
    order by q.position;
    perform set_config('qm.lookup_shadow', '', true);
end
$function$;
comment on function api.shadow_lookups(text, jsonb, boolean) is
'Answers queries with the shadow of a lookup table (a trial of other weights). Arguments: lookup: name of the lookup '
'table; queries: JSON array of queries that the table has answered, each {query, language, domain, properties, strict, '
'threshold}; active_only: true to return only active rows. Returns for each query: its number (from 1); the name of '
'the set of weights that was used; the id and the score of the first row (null: the shadow found no row); and whether '
'that row is a match. Returns no rows if the table has no shadow. Raises QM404 unsupported_table. Can be null: id, '
'score.';
alter function api.shadow_lookups owner to qm_reader;
grant execute on function api.shadow_lookups to qm_user;
