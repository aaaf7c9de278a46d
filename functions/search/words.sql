-- search.words: prepares text for the parser, which knows neither identifiers nor CJK.
-- Punctuation that would make paths, hosts and signed numbers becomes space; camelCase is split; snake_case, kebab-case and camelCase
-- identifiers are also kept whole; runs of CJK characters become overlapping pairs.
create or replace function search.words(p_text text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select
        search.split_identifiers(
            regexp_replace(translate(p_text, '/.@:<>&+~#%=''', '             '), '[\u2e80-\u9fff\uac00-\ud7af]+', ' ', 'g')
        )
        || coalesce(
            (
                select ' ' || string_agg(translate(m.parts[1], '_-', ''), ' ')
                from regexp_matches(p_text, '\m([A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)+|[a-z0-9]+(?:[A-Z][a-z0-9]*)+)\M', 'g') as m (parts)
            ), ''
        )
        || case
            when p_text ~ '[\u2e80-\u9fff\uac00-\ud7af]' then coalesce(
                (
                    select ' ' || string_agg(substr(m.parts[1], i, 2), ' ')
                    from regexp_matches(p_text, '([\u2e80-\u9fff\uac00-\ud7af]+)', 'g') as m (parts)
                    cross join generate_series(1, greatest(length(m.parts[1]) - 1, 1)) as i
                ), ''
            )
            else ''
        end;
$function$;
comment on function search.words(text) is 'Text with identifiers split and kept whole and CJK in pairs, ready for the configuration search.words.';
