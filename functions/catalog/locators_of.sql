create or replace function catalog.locators_of(p_command text[], p_url text)
returns setof text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select distinct m.found[1]
    from unnest(coalesce(p_command, '{}') || p_url) as t (part)
    cross join lateral regexp_matches(t.part, '\$\{((?:secret|env):[A-Za-z0-9_./-]+)\}', 'g') as m (found)
$function$;
comment on function catalog.locators_of(text[], text) is
'Lists the credentials to which the command and the URL of an origin refer. Arguments: p_command: the program with its '
'arguments; p_url: the URL. Returns each locator (secret:NAME or env:NAME) once.';
