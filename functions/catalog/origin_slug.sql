-- catalog.origin_slug: a slug that is already taken or was shortened gets six digits from a hash of the name. A slug
-- never changes.
create or replace function catalog.origin_slug(p_name text)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when length(s.plain) <= 24 and not exists (select from catalog.origin as o where o.slug = s.plain) then s.plain
        else btrim(left(s.plain, 17), '_-') || '-' || left(encode(sha256(convert_to(p_name, 'UTF8')), 'hex'), 6)
    end
    from (
        select coalesce(
            nullif(
                btrim(regexp_replace(regexp_replace(p_name, '[^A-Za-z0-9-]+', '_', 'g'), '_{2,}', '_', 'g'), '_-'), ''
            ),
            'origin'
        ) as plain
    ) as s;
$function$;
comment on function catalog.origin_slug(text) is
'Makes the slug of a new origin. The slug is the first part of the callable names of the origin''s tools. Argument '
'p_name: name of the origin. Returns at most 24 characters (letters, digits, _ and -).';
