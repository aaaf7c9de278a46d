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
'Lists the decisions that say the same thing as a given decision, or that contradict this decision. Decisions that '
'were rejected or superseded are left out, and so are decisions whose link a curator has resolved. Argument p_id: id '
'of the given decision. Returns for each listed decision its id and the kind of the link: duplicate or contradicts.';
grant execute on function decisions.linked to qm_reader;
