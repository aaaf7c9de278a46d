-- search.goal_language: guesses in which language a goal is, if it is not English. Text in quotes is a value and does not
-- count.
-- By script: the goal is in the language of a script other than Latin if at least one letter in five is in that script;
-- a Chinese, Japanese or Korean character counts as three letters. A script that several languages share stands for the
-- one with the most speakers.
-- By words: a goal in Latin letters is in the language that has the most stop words in it (PostgreSQL's own lists, which
-- its Snowball dictionaries use), if there are at least two and at least twice as many as English stop words. Only
-- words without digits and punctuation count, so identifiers do not. The first 500 characters are read.
create or replace function search.goal_language(p_goal text)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    with goal as materialized (
        select regexp_replace(left(p_goal, 500), '(^|\s)("[^"]*"|''[^'']*''(?!\w)|“[^”]*”)', ' ', 'g') as text
    ),

    script as (
        select s.language, s.factor * length(regexp_replace(g.text, '[^' || s.letters || ']', '', 'g')) as letters, s.position
        from goal as g
        cross join unnest(
            '{Japanese,Korean,Chinese,Russian,Arabic,Hindi,Greek,Hebrew,Bengali,Tamil,Thai}'::text[],
            array[
                '\u3041-\u30ff', '\uac00-\ud7af', '\u3400-\u4dbf\u4e00-\u9fff', '\u0400-\u052f', '\u0620-\u065f\u066e-\u06d3\u0750-\u077f',
                '\u0900-\u097f', '\u0386-\u03ff', '\u05d0-\u05ea', '\u0980-\u09ff', '\u0b80-\u0bff', '\u0e01-\u0e4e'
            ],
            '{3,3,3,1,1,1,1,1,1,1,1}'::integer[]
        ) with ordinality as s (language, letters, factor, position)
    ),

    written as (
        -- Japanese texts also contain Chinese characters, so the characters that only Japanese has decide.
        select
            (array_agg(s.language order by s.language = 'Chinese', s.letters desc, s.position) filter (where s.letters > 0))[1] as language,
            sum(s.letters) as letters
        from script as s
    ),

    word as (
        select distinct w.word
        from goal as g
        cross join regexp_split_to_table(g.text, '\s+') as t (token)
        cross join regexp_split_to_table(btrim(t.token, '.,;:!?()¿¡«»„“”…'), '[''’]') as w (word)
        where length(w.word) > 1 and w.word !~ '[[:punct:][:digit:]]'
    ),

    spoken as (
        select d.language, count(*) as words
        from word as w
        cross join unnest('{danish,dutch,english,finnish,french,german,hungarian,italian,norwegian,portuguese,spanish,swedish,turkish}'::text[])
            as d (language)
        where ts_lexize(('pg_catalog.' || d.language || '_stem')::regdictionary, w.word) = '{}'
        group by d.language
    ),

    ranked as (
        select s.language, s.words, count(*) over (partition by s.words) as equals
        from spoken as s
        where s.language <> 'english'
        order by s.words desc
        limit 1
    )

    select
        case
            when 4 * x.letters >= length(regexp_replace(g.text, '[^a-zA-Z\u00c0-\u024f]', '', 'g')) and x.letters > 0 then x.language
            else (
                select case r.equals when 1 then initcap(r.language) else 'a language other than English' end
                from ranked as r
                where r.words >= 2 and r.words >= 2 * coalesce((select e.words from spoken as e where e.language = 'english'), 0)
            )
        end
    from goal as g
    cross join written as x;
$function$;
comment on function search.goal_language(text) is
'Argument p_goal: the goal. Returns the English name of its language, "a language other than English" if several fit '
'equally well, or null if it seems to be in English or has too few words to tell.';
grant execute on function search.goal_language to qm_user;
