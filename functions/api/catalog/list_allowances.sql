create or replace function api.list_allowances()
returns table (kind text, value text, origin text, allowed_at timestamptz, allowed_by text)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select a.kind, a.value, a.origin, a.allowed_at, p.name
    from catalog.allowance as a
    left join policy.principal as p on p.id = a.allowed_by
    order by a.kind, a.value, a.origin;
$function$;
comment on function api.list_allowances() is
'Lists the permissions that administrators gave to origins (see api.allow). Returns for each permission: its kind; '
'its value; the origin that has the permission (null: all origins); the time at which the permission was given; and '
'the principal who gave the permission (null if the caller may not see this principal). Can be null: origin, '
'allowed_by.';
alter function api.list_allowances owner to qm_reader;
grant execute on function api.list_allowances to qm_operator;
