-- search.goal_language: text in quotes is a value and does not count.
-- By script: the goal is in the language of a script other than Latin if at least one letter in five is in that script;
-- a Chinese, Japanese or Korean character counts as three letters. If several languages share a script, the language
-- with the most speakers is assumed.
-- By words: for a goal in Latin letters, the function counts the stop words of each language (from the lists of
-- PostgreSQL's Snowball dictionaries). The language with the most stop words is chosen if the goal contains at least
-- two of them, and at least twice as many as English stop words. Only words without digits and punctuation count, so
-- identifiers are ignored. The first 500 characters are read.
-- A search in psql calls this function, so it is written in PL/pgSQL, which caches the plans.
create or replace function search.goal_language(p_goal text)
returns text
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_text constant text := regexp_replace(
        left(p_goal, 500), '(^|\s)("[^"]*"|''[^'']*''(?!\w)|“[^”]*”)' collate core.c_utf8, ' ', 'g'
    );
    v_words text[];
    v_least bigint; -- stop words that a language other than English needs
    v_language text;
begin
    if v_text ~ '[^\u0001-\u024f]' then
        select s.language
        into v_language
        from (
            select
                -- Japanese texts also contain Chinese characters. A text that contains characters of the Japanese
                -- syllabaries is therefore Japanese.
                (
                    array_agg(
                        l.language order by l.language = 'Chinese', l.letters desc, l.position
                    ) filter (where l.letters > 0)
                )[1] as language,
                sum(l.letters) as letters
            from (
                select
                    a.language,
                    a.position,
                    a.factor * length(
                        regexp_replace(v_text, '[^' || a.letters || ']' collate core.c_utf8, '', 'g')
                    ) as letters
                from unnest(
                    '{Japanese,Korean,Chinese,Russian,Arabic,Hindi,Greek,Hebrew,Bengali,Tamil,Thai}'::text[],
                    array[
                        '\u3041-\u30ff', '\uac00-\ud7af', '\u3400-\u4dbf\u4e00-\u9fff', '\u0400-\u052f',
                        '\u0620-\u065f\u066e-\u06d3\u0750-\u077f', '\u0900-\u097f', '\u0386-\u03ff', '\u05d0-\u05ea',
                        '\u0980-\u09ff', '\u0b80-\u0bff', '\u0e01-\u0e4e'
                    ],
                    '{3,3,3,1,1,1,1,1,1,1,1}'::integer[]
                ) with ordinality as a (language, letters, factor, position)
            ) as l
        ) as s
        where 4 * s.letters >= length(regexp_replace(v_text, '[^a-zA-Z\u00c0-\u024f]', '', 'g'));
        if v_language is not null then
            return v_language;
        end if;
    end if;

    v_words := array(
        select distinct w.word
        from regexp_split_to_table(v_text, '\s+' collate core.c_utf8) as t (token)
        cross join regexp_split_to_table(btrim(t.token, '.,;:!?()¿¡«»„“”…'), '[''’]') as w (word)
        where length(w.word) > 1 and w.word !~ '[[:punct:][:digit:]]' collate core.c_utf8
    );
    v_least := greatest(
        2, 2 * (select count(*) from unnest(v_words) as w (word) where ts_lexize('english_stem', w.word) = '{}')
    );
    if cardinality(v_words) < v_least then
        return null;
    end if;
    return (
        select case count(*) over (partition by s.words)
            when 1 then initcap(s.language collate core.c_utf8)
            else 'a language other than English'
        end
        from (
            select replace(d.stemmer::text, '_stem', '') as language, count(*) as words
            from unnest(v_words) as w (word)
            cross join unnest(
                '{danish_stem,dutch_stem,finnish_stem,french_stem,german_stem,hungarian_stem,italian_stem,'
                'norwegian_stem,portuguese_stem,spanish_stem,swedish_stem,turkish_stem}'::regdictionary[]
            ) as d (stemmer)
            where ts_lexize(d.stemmer, w.word) = '{}'
            group by d.stemmer
        ) as s
        where s.words >= v_least
        order by s.words desc
        limit 1
    );
end
$function$;
comment on function search.goal_language(text) is
'Guesses the language of a goal that is not in English. Argument p_goal: the goal. Returns (1) the English name of the '
'language; (2) "a language other than English" if several languages fit equally well; or (3) null if the goal seems to '
'be in English or is too short.';
grant execute on function search.goal_language to qm_reader;
