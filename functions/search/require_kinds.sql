-- search.require_kinds: a hidden kind counts as missing.
create or replace function search.require_kinds(p_kinds text[])
returns text[]
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_kinds text[];
    v_unknown text;
begin
    perform policy.require_principal();
    select
        array_agg(g.kind order by g.kind collate core.c_utf8),
        min(g.kind collate core.c_utf8) filter (where k.name is null)
    into v_kinds, v_unknown
    from (select distinct unnest(coalesce(p_kinds, array[search.default_kind()])) as kind) as g
    left join search.kind as k on k.name = g.kind and k.audience_id is null;
    if v_kinds is null or v_unknown is not null or array_position(v_kinds, null) is not null then
        perform search.refuse_kind(v_unknown);
    end if;
    return v_kinds;
end
$function$;
comment on function search.require_kinds(text[]) is
'Checks that all given kinds exist. Argument p_kinds: names of one or more kinds (null: the default kind). Returns the '
'names in order, without duplicates. Raises QM403 principal_required, QM404 kind_not_found.';
grant execute on function search.require_kinds to qm_reader;
