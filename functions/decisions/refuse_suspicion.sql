-- decisions.refuse_suspicion: refuses to make a decision canonical whose texts give orders to their reader, such as to
-- ignore instructions or to send files. Agents do what canonical decisions say.
-- Raises: QM409 decision_suspicious.
create or replace function decisions.refuse_suspicion(p_id bigint)
returns void
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_suspicion constant text := (select d.suspicion from decisions.decision as d where d.id = p_id);
begin
    if v_suspicion <> '' then
        perform core.fail('decision_suspicious', format('decision %s contains orders to agents: %s', p_id, v_suspicion));
    end if;
end
$function$;
comment on function decisions.refuse_suspicion(bigint) is
'Raises an error if the scan (decisions.scan) found orders to agents in the texts of a decision. Argument p_id: id of '
'the decision.';
