-- knowledge.asks_fact: "Which dashboard does the night shift use?" asks for a fact. Quartermaster's notes do not know
-- the answer, even if they contain all words of the question. In the vector space of a model, one direction separates
-- such questions from questions for advice. qm eval fit-experts learns this direction for each model, and the setting
-- knowledge.asks_fact stores it. The command learns from questions that were written for this purpose, and from
-- questions that notes answer.
create or replace function knowledge.asks_fact(p_vector ext.vector)
returns real
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select least(
        greatest(
            (d.learned ->> 'intercept')::double precision - (
                d.whole operator(ext.<#>) ((d.learned ->> 'weights')::ext.vector)
            ),
            -6
        ),
        6
    )::real
    from (
        -- The vectors of the sentences of a question follow that of the whole (search.split_vector).
        select
            core.get_setting('knowledge.asks_fact') -> m.name as learned,
            ext.subvector(p_vector, 1, m.dimension) as whole
        from search.goal_model() as m
    ) as d
    where d.learned is not null and p_vector is not null;
$function$;
comment on function knowledge.asks_fact(ext.vector) is
'Estimates whether a question asks for advice or for a fact. Notes can answer a question that asks for advice. No '
'general note can answer a question that asks for a fact about the caller''s own data or colleagues, or about a field '
'without notes. Argument p_vector: vector of the question in the model of search.goal_model(). Returns log odds '
'from -6 (advice) to 6 (fact). Returns null if no weights have been learned for the model.';
grant execute on function knowledge.asks_fact to qm_reader;
