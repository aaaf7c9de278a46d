create or replace function lookup.short_form(p_name text)
returns text
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    return left(p_name, 1) || substr(p_name, strpos(p_name || ' ', ' '));
end
$function$;
comment on function lookup.short_form(text) is
'Replaces the first word of a normalised name with its initial. Both betula pendula and B. pendula become b pendula. '
'Argument p_name: the normalised name. Returns the short form of the name.';
