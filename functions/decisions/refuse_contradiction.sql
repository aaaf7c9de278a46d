-- decisions.refuse_contradiction: refuses a decision that contradicts a canonical one, unless a curator resolved that.
-- Raises: QM409 decision_contradicted.
create or replace function decisions.refuse_contradiction(p_id bigint)
returns void
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_against bigint[];
begin
    select array_agg(o.id order by o.id) into v_against
    from decisions.link as l
    inner join decisions.decision as o on o.id = l.from_id + l.to_id - p_id
    where p_id in (l.from_id, l.to_id)
        and l.kind = 'contradicts'
        and l.resolved_at is null
        and o.status = 'canonical'
        and o.superseded_by is null;
    if v_against is not null then
        perform core.fail(
            'decision_contradicted', format('decision %s contradicts the canonical decision %s', p_id, array_to_string(v_against, ', '))
        );
    end if;
end
$function$;
comment on function decisions.refuse_contradiction(bigint) is
'Raises an error if a decision contradicts a canonical decision, unless a curator has resolved the contradiction. '
'Argument p_id: id of the decision.';
