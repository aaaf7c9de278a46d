-- selection.find_unavailable: the cards of a kind without an availability function can always be used.
create or replace function selection.find_unavailable(p_kind text, p_refs bigint[])
returns table (ref bigint, reason text, remedy text, until timestamptz)
language plpgsql
stable parallel safe security invoker
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_function constant regproc := (
        select k.availability_function::regproc from search.kind as k where k.name = p_kind
    );
begin
    if v_function is not null then
        return query execute format(
            'select a.ref, a.reason, a.remedy, a.until from %s($1) as a', v_function
        ) using p_refs;
    end if;
end
$function$;
comment on function selection.find_unavailable(text, bigint[]) is
'Finds cards that cannot be used now, with the kind''s availability function. Arguments: p_kind: kind of card; p_refs: '
'ids of the cards in the table of the kind. Returns for each card that cannot be used: the id, the reason, the remedy, '
'and the time from which the card can be used again (null: unknown).';
grant execute on function selection.find_unavailable to qm_reader;
