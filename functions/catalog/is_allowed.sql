create or replace function catalog.is_allowed(p_kind text, p_value text, p_origin text)
returns boolean
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select exists (
        select from catalog.allowance as a
        where a.kind = p_kind and a.value = p_value and (a.origin is null or a.origin = p_origin)
    );
$function$;
comment on function catalog.is_allowed(text, text, text) is
'Checks whether an administrator has allowed an origin to use a program, an environment variable or a secret, or to '
'connect to a network. Arguments: p_kind: kind of the permission; p_value: value of the permission, as in '
'catalog.allowance; p_origin: name of the origin. Returns true if the permission exists.';
