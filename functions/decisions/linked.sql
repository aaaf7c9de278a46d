-- decisions.linked: lists the links of a decision that no curator has resolved, with decisions that still count.
create or replace function decisions.linked(p_id bigint)
returns table (kind text, other bigint)
language sql
stable parallel safe security invoker
rows 3
set search_path = pg_catalog, pg_temp
as $function$
    select l.kind, o.id
    from decisions.link as l
    inner join decisions.decision as o on o.id = l.from_id + l.to_id - p_id
    where p_id in (l.from_id, l.to_id) and l.resolved_at is null and o.status <> 'rejected' and o.superseded_by is null;
$function$;
comment on function decisions.linked(bigint) is
'Lists the unresolved links of a decision. Returns the kind of each link and the id of the other decision.';
grant execute on function decisions.linked to qm_reader;
