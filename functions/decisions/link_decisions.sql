-- decisions.link_decisions: links decisions with those of the same project that say the same or contradict them.
-- Writes: decisions.link.
create or replace function decisions.link_decisions(p_ids bigint[])
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    insert into decisions.link (from_id, to_id, kind, created_at)
    select greatest(n.id, o.id), least(n.id, o.id), r.kind, core.now()
    from decisions.decision as n
    inner join decisions.decision as o
        on o.project_id = n.project_id and o.id <> n.id and o.status <> 'rejected' and o.superseded_by is null
    cross join lateral (select decisions.relation(n, o) as kind) as r
    where n.id = any(p_ids) and r.kind is not null
    on conflict do nothing;
$function$;
comment on function decisions.link_decisions(bigint[]) is
'Links decisions with those of the same project that say the same or contradict them. Argument p_ids: ids of new or '
'changed decisions.';
