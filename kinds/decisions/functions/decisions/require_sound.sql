create or replace function decisions.require_sound(p_id bigint)
returns void
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_suspicion constant text := (select d.suspicion from decisions.decision as d where d.id = p_id);
    v_against constant text := (
        select string_agg(o.id::text, ', ' order by o.id)
        from decisions.linked(p_id) as l
        inner join decisions.decision as o on o.id = l.other
        where l.kind = 'contradicts' and o.status = 'canonical'
    );
begin
    if v_suspicion <> '' then
        perform core.fail(
            'decision_suspicious', format('decision %s contains orders to agents: %s', p_id, v_suspicion)
        );
    end if;
    if v_against is not null then
        perform core.fail(
            'decision_contradicted', format('decision %s contradicts the canonical decision %s', p_id, v_against)
        );
    end if;
end
$function$;
comment on function decisions.require_sound(bigint) is
'Raises an error in two cases: (1) the scan (decisions.scan) found instructions to agents in the texts of a decision; '
'(2) the decision contradicts a canonical decision, and no curator has resolved the contradiction. Argument p_id: id '
'of the decision. The errors are QM409 decision_suspicious, decision_contradicted.';
