-- knowledge.weigh_words: a rare word gets a higher weight, because it says more about the topic of the question.
create or replace function knowledge.weigh_words(p_question text)
returns table (lexeme text, is_unknown boolean, weight double precision)
language sql
stable parallel safe security invoker
rows 10
set search_path = pg_catalog, pg_temp
as $function$
    select u.lexeme, t.cards = 0, ln(1 + (k.cards - t.cards + 0.5) / (t.cards + 0.5))
    from search.kind as k
    cross join unnest(search.tokenize(left(p_question, 2000))) as u
    cross join lateral (
        select coalesce(
            (select n.cards from search.term as n where n.kind = 'passage' and n.lexeme = u.lexeme), 0
        ) as cards
    ) as t
    where k.name = 'passage';
$function$;
comment on function knowledge.weigh_words(text) is
'Splits a question into words, and computes a weight for each word. Argument p_question: the question. Returns for '
'each word: the word in its indexed form; true if no passage contains the word; the weight, which is larger for rare '
'words.';
