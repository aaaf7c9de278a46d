create or replace function catalog.brief(p_description text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when s.sentence is not null then s.sentence
        when length(d.flat) <= 160 then d.flat
        else left(d.flat, 159) || '…'
    end
    from (
        select btrim(
            regexp_replace(left(coalesce(p_description, ''), 400), '\s+' collate core.c_utf8, ' ', 'g')
        ) as flat
    ) as d
    cross join lateral (
        select substring(left(d.flat, 160) from '^(.+?[.!?。])(?:\s|$)' collate core.c_utf8) as sentence
    ) as s;
$function$;
comment on function catalog.brief(text) is
'Shortens a description to one line for lists. Argument p_description: the description. Returns the first sentence of '
'the description, but at most 160 characters.';
grant execute on function catalog.brief to qm_reader;
