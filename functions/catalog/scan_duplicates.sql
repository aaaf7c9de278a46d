-- catalog.scan_duplicates: tools that say what another origin's tool says: nearest neighbours by the vectors of the active model.
-- Low: forks and mirrors are legion. It is for who wonders which of two is the real one.
-- Writes: catalog.finding.
create or replace function catalog.scan_duplicates(p_tool_ids bigint[])
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_model_id constant integer := (select m.id from search.model as m where m.active);
    v_severity constant text := (select r.severity from catalog.scan_rule as r where r.name = 'near_duplicate' and r.enabled);
    v_similarity constant real := (core.get_setting('search.duplicate_similarity'))::real;
    v_tool record;
    v_count integer := 0;
begin
    if v_model_id is null or v_severity is null then
        return 0;
    end if;
    delete from catalog.finding as f where f.tool_id = any(p_tool_ids) and f.rule = 'near_duplicate';
    for v_tool in
        select t.id, t.version, t.origin_id, e.vector
        from catalog.tool as t
        inner join search.card as c on c.kind = 'tool' and c.ref = t.id
        inner join search.embedding as e on e.model_id = v_model_id and e.kind = 'tool' and e.text_hash = c.text_hash
        where t.id = any(p_tool_ids)
    loop
        insert into catalog.finding (tool_id, version, rule, member, severity, evidence, found_at)
        select v_tool.id, v_tool.version, 'near_duplicate', 'description', v_severity, format('%s, cosine %s', x.callable_name, round(n.similarity::numeric, 3)), core.now()
        from search.dense('tool', v_tool.vector, 8, 40) as n
        inner join search.card as c on c.id = n.card_id
        inner join catalog.tool as x on x.id = c.ref
        where n.similarity >= v_similarity and x.origin_id <> v_tool.origin_id and x.id < v_tool.id
        order by n.similarity desc, x.id
        limit 1;
        v_count := v_count + (case when found then 1 else 0 end);
    end loop;
    return v_count;
end
$function$;
comment on function catalog.scan_duplicates(bigint[]) is 'Argument: tools that have vectors. Returns how many of them have an older near duplicate of another origin.';
