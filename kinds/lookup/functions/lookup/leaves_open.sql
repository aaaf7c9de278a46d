-- lookup.leaves_open: a word such as "not" or "or" counts only if the name does not contain the word, too.
create or replace function lookup.leaves_open(p_query text, p_name text)
returns boolean
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_denies constant text := 'not|non|nec|ej|inte|icke|ikke|nicht|kein|keine|niet|geen';
    v_goes_on constant text := 'or|eller|oder|ou|vel|tai|subsp|ssp|var|subvar|forma';
    v_name text;
begin
    if p_query !~* ('\m(' || v_denies || '|' || v_goes_on || ')\M') collate core.c_utf8 then
        return false;
    end if;
    v_name := ' ' || lookup.normalize(p_name) || ' ';
    return exists (
        select
        from regexp_matches(
            lookup.normalize(p_query),
            '\m(?:(' || v_denies || ')|(' || v_goes_on || ') ([^ ]+))\M' collate core.c_utf8,
            'g'
        ) as m (parts)
        where strpos(v_name, ' ' || coalesce(m.parts[1], m.parts[2]) || ' ') = 0
            and (m.parts[1] is not null or strpos(v_name, ' ' || m.parts[3] || ' ') = 0)
    );
end
$function$;
comment on function lookup.leaves_open(text, text) is
'Checks whether a query contains the name of a row but perhaps does not mean this row. Arguments: p_query: the query; '
'p_name: name of the row. Returns true in three cases: (1) the query excludes the name ("not Betula pendula"); (2) the '
'query contains an alternative ("Betula pendula or pubescens"); (3) the query names only a part, such as a variety '
'("Betula pendula var. alba").';
grant execute on function lookup.leaves_open to qm_reader;
