-- Definer: callers have no permission to read search.lexical and search.embedding. They still get only symbols that
-- they may see, because knowledge.symbol_candidates returns only visible cards.
create or replace function api.symbol_examples(library text, topic text, query_vector ext.vector)
returns table (name text, paths text[], features real[])
language plpgsql
volatile parallel unsafe security definer
rows 300
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_distributions constant bigint[] := array(
        select f.id from knowledge.find_distributions(symbol_examples.library) as f where f.fit >= 2 limit 1
    );
    v_goal constant search.goal := row(
        'symbol',
        symbol_examples.topic,
        array[symbol_examples.query_vector],
        null,
        null,
        null,
        null,
        jsonb_build_object('distributions', v_distributions)
    )::search.goal;
begin
    perform policy.require_principal();
    if v_distributions = '{}' then
        return;
    end if;
    return query
    select s.path, array(select p.path from knowledge.symbol_path as p where p.symbol_id = s.id), c.features
    from knowledge.symbol_candidates(v_goal) as c
    inner join search.card as d on d.id = c.card_id
    inner join knowledge.symbol as s on s.id = d.ref
    order by s.path;
end
$function$;
comment on function api.symbol_examples(text, text, ext.vector) is
'Finds the candidates of a lookup and their features, from which the weights of the learned score are learned. '
'Arguments: library: name of the distribution or of a module; topic: the question; query_vector: unit vector of the '
'question. Returns for each candidate: the name; the other names; and the features, as numbers in the order of the '
'names that api.feature_names returns. Raises QM403 principal_unknown. Can be null: query_vector.';
grant execute on function api.symbol_examples to qm_admin;
