-- selection.find_unavailable: tells which cards cannot be used now, by the availability function of each kind. A kind
-- without such a function has only cards that can always be used.
create or replace function selection.find_unavailable(p_kinds text[], p_card_ids bigint[])
returns table (card_id bigint, unavailable jsonb)
language plpgsql
stable parallel safe security invoker
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_kind record;
begin
    for v_kind in
        select k.name, k.availability_function::regproc as function, array_agg(c.ref) as refs, array_agg(c.id) as ids
        from unnest(p_card_ids) as p (id)
        inner join search.card as c on c.id = p.id
        inner join search.kind as k on k.name = c.kind and k.availability_function is not null
        where c.kind = any(p_kinds)
        group by k.name
    loop
        return query execute format(
            'select c.id, jsonb_strip_nulls(jsonb_build_object(''reason'', a.reason, ''remedy'', a.remedy, ''until'', a.until))'
            ' from %s($1) as a inner join unnest($1, $2) as c (ref, id) on c.ref = a.ref',
            v_kind.function
        ) using v_kind.refs, v_kind.ids;
    end loop;
end
$function$;
comment on function selection.find_unavailable(text[], bigint[]) is
'Arguments: p_kinds: kinds of card; p_card_ids: ids of cards. Returns the cards that cannot be used now, each with '
'{reason, remedy, until}; until is missing if it is not known.';
grant execute on function selection.find_unavailable to qm_user;
