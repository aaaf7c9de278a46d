-- Writes: catalog.repair, and what catalog.apply_repairs writes.
create or replace function catalog.put_phrases(p_item_id bigint, p_phrases text[], p_reason text default '')
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_item record;
    v_phrases text[];
begin
    select i.origin_id, i.name, coalesce(policy.text_list(i.definition -> 'phrases'), '{}') as phrases
    into v_item
    from catalog.item as i
    where i.id = p_item_id and i.kind = 'tool';
    select array_agg(g.phrase order by g.place)
    into v_phrases
    from (
        select p.phrase, min(p.position) as place
        from unnest(v_item.phrases || p_phrases) with ordinality as p (phrase, position)
        group by p.phrase
    ) as g;
    if v_item.name is not null and cardinality(v_phrases) > cardinality(v_item.phrases) then
        perform catalog.put_repair(
            v_item.origin_id, v_item.name, jsonb_build_object('phrases', v_phrases), false, p_reason, false
        );
    end if;
    return cardinality(v_phrases) - cardinality(v_item.phrases);
end
$function$;
comment on function catalog.put_phrases(bigint, text[], text) is
'Adds phrases by which searches also find a tool, as a new version of its repair. Arguments: p_item_id: id of the '
'tool; p_phrases: the phrases, each of at most 200 characters; p_reason: reason for the change. Phrases that the tool '
'has already are skipped. Returns how many phrases were added. Raises QM422 repair_invalid, repair_suspicious.';
