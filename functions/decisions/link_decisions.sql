-- decisions.link_decisions: links decisions with those of the same project that say the same or contradict them. Only
-- pairs whose paths overlap, with similar words or related checks, are compared closely.
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
        and (o.id < n.id or o.id <> all(p_ids)) -- each pair once
        and (n.scope_prefix ^@ o.scope_prefix or o.scope_prefix ^@ n.scope_prefix) -- empty for scopes that are no path
        and (
            ext.similarity(n.pattern, o.pattern) >= 0.5
            or n.check_definition = o.check_definition
            or n.check_definition ?| '{old,new,forbidden}' and o.check_definition ?| '{old,new,forbidden}'
        )
    cross join lateral (select decisions.relation(n, o) as kind) as r
    where n.id = any(p_ids) and r.kind is not null
    on conflict do nothing;
$function$;
comment on function decisions.link_decisions(bigint[]) is
'Links decisions with those of the same project that say the same or contradict them. Argument p_ids: ids of new or '
'changed decisions.';
