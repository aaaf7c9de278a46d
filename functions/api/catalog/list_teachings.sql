create or replace function api.list_teachings(kinds text[] default null)
returns table (
    teaching bigint, goal text, name text, instead_of text, kind text, organisation text, reason text, created_by text,
    created_at timestamptz
)
language sql
stable parallel safe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select
        t.id,
        t.goal,
        i.public_name,
        w.public_name,
        t.kind,
        o.name,
        t.reason,
        p.name,
        t.created_at
    from search.teaching as t
    left join catalog.item as i on i.id = t.ref
    left join catalog.item as w on w.id = t.instead_of
    left join policy.organisation as o on o.id = t.organisation_id
    left join policy.principal as p on p.id = t.created_by
    where list_teachings.kinds is null or t.kind = any(list_teachings.kinds)
    order by t.id;
$function$;
comment on function api.list_teachings(text[]) is
'Lists what people have taught. Argument kinds: kinds of card (null: all kinds). Operators see the teachings of their '
'own organisation, and administrators all. Returns for each teaching: its number; the goal; the right item and the '
'wrong item (null: none, or the caller may not see it); the kind of the items; the organisation whose searches change '
'(null: principals without an organisation); the reason; who taught it, and when. Can be null: name, instead_of, '
'organisation, created_by.';
alter function api.list_teachings owner to qm_reader;
grant execute on function api.list_teachings to qm_operator;
