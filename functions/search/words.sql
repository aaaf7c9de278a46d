-- search.words: punctuation that the parser would read as paths, hosts or signed numbers is replaced by spaces.
-- camelCase is split; snake_case, kebab-case and camelCase identifiers are also kept whole. The function returns lower
-- case, because PostgreSQL's dictionaries would otherwise convert the text by the rules of the database's locale. The
-- function is not a single SQL expression, because all subselects of an expression would run for every text, although
-- most texts do not need them.
create or replace function search.words(p_text text)
returns text
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_words text := translate(p_text, '/.@:<>&+~#%=''', '             ');
    v_whole text;
    v_pairs text;
begin
    if p_text ~ '[A-Za-z0-9][_-][A-Za-z0-9]|[a-z0-9][A-Z]' then
        select string_agg(translate(m.parts[1], '_-', ''), ' ')
        into v_whole
        from regexp_matches(
            p_text, '\m([A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)+|[a-z0-9]+(?:[A-Z][a-z0-9]*)+)\M' collate core.c_utf8, 'g'
        ) as m (parts);
    end if;
    if p_text ~ '[\u2e80-\u9fff\uac00-\ud7af]' then
        v_words := regexp_replace(v_words, '[\u2e80-\u9fff\uac00-\ud7af]+', ' ', 'g');
        select
            string_agg(
                case when c.after is not null then c.sign || c.after when c.position = 1 then c.sign end,
                ' ' order by c.run,
                c.position
            )
        into v_pairs
        from (
            select m.run, s.position, s.sign, lead(s.sign) over (partition by m.run order by s.position) as after
            from regexp_matches(p_text, '([\u2e80-\u9fff\uac00-\ud7af]+)', 'g') with ordinality as m (parts, run)
            cross join string_to_table(m.parts[1], null) with ordinality as s (sign, position)
        ) as c;
    end if;
    return lower(
        search.split_identifiers(v_words)
            || coalesce(' ' || v_whole, '')
            || coalesce(' ' || v_pairs, '') collate core.c_utf8
    );
end
$function$;
comment on function search.words(text) is
'Prepares a text for the text search configuration search.words. Argument p_text: the text. Returns the prepared text. '
'In this text, each identifier appears both whole and split into words, and each run of CJK characters appears as '
'overlapping pairs.';
grant execute on function search.words to qm_reader;
