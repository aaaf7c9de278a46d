-- catalog.scan_duplicates: two items are near-duplicates if their vectors in the active model are very similar. The
-- severity of the finding is low, because forks and mirrors are common. The finding helps people decide which of the
-- two items is the original.
-- Writes: catalog.finding.
create or replace function catalog.scan_duplicates(p_item_ids bigint[])
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_model_id constant integer := (select m.id from search.model as m where m.active);
    v_severity constant text := (
        select r.severity from catalog.scan_rule as r where r.name = 'near_duplicate' and r.enabled
    );
    v_similarity constant real := (core.get_setting('search.duplicate_similarity'))::real;
    v_item record;
    v_count integer := 0;
begin
    if v_model_id is null or v_severity is null then
        return 0;
    end if;
    delete from catalog.finding as f where f.item_id = any(p_item_ids) and f.rule = 'near_duplicate';
    for v_item in
        select i.id, i.kind, i.version, i.origin_id, e.vector
        from catalog.item as i
        inner join search.card as c on c.kind = i.kind and c.ref = i.id
        inner join search.embedding as e on e.model_id = v_model_id and e.kind = i.kind and e.text_hash = c.text_hash
        where i.id = any(p_item_ids)
    loop
        insert into catalog.finding (item_id, version, rule, member, severity, evidence, found_at)
        select
            v_item.id,
            v_item.version,
            'near_duplicate',
            'description',
            v_severity,
            format('%s, cosine %s', x.public_name, round(n.similarity::numeric, 3)),
            core.now()
        from search.dense(v_item.kind, v_item.vector, 8, 40) as n
        inner join search.card as c on c.id = n.card_id
        inner join catalog.item as x on x.id = c.ref
        where n.similarity >= v_similarity and x.origin_id <> v_item.origin_id and x.id < v_item.id
        order by n.similarity desc, x.id
        limit 1;
        v_count := v_count + (case when found then 1 else 0 end);
    end loop;
    return v_count;
end
$function$;
comment on function catalog.scan_duplicates(bigint[]) is
'Finds items that are near-duplicates of an item of another origin, and stores a finding for each. Argument '
'p_item_ids: ids of items that have vectors. Returns the number of given items that are near-duplicates of an older '
'item of another origin.';
