-- catalog.callable_name: a name that had to be changed or shortened ends in eight hash digits. Its short form is
-- therefore the same everywhere, no matter which other names exist.
create or replace function catalog.callable_name(p_slug text, p_origin text, p_tool text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when s.plain = p_tool and length(p_slug) + 2 + length(s.plain) <= 44 then p_slug || '__' || s.plain
        else
            rtrim(left(p_slug || '__' || coalesce(nullif(btrim(s.plain, '_'), ''), 'tool'), 35), '_-')
            || '_' || left(encode(sha256(convert_to(p_origin || '/' || p_tool, 'UTF8')), 'hex'), 8)
    end
    from (select regexp_replace(p_tool, '[^A-Za-z0-9_-]+', '_', 'g') as plain) as s;
$function$;
comment on function catalog.callable_name(text, text, text) is
'Makes the callable name of a tool, in the form SLUG__TOOL. The name has at most 44 characters, so that it fits into '
'64 characters together with a client''s prefix such as mcp__quartermaster__. Arguments: p_slug: slug of the origin; '
'p_origin: name of the origin; p_tool: name of the tool at the origin. Returns the name under which agents call the '
'tool.';
