-- knowledge.count_vectors: counts the cards of a distribution, and those whose text has no vector of the active model.
-- Without an active model, none waits.
-- The function runs with the rights of its owner (security definer), because nobody may read vectors.
create or replace function knowledge.count_vectors(p_distribution_id bigint, out cards bigint, out waiting bigint)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    select count(*), count(*) filter (where m.id is not null and e.text_hash is null)
    into cards, waiting
    from knowledge.symbol as s
    inner join search.card as c on c.kind = 'symbol' and c.ref = s.id
    left join search.model as m on m.active
    left join search.embedding as e on e.model_id = m.id and e.text_hash = c.text_hash and e.kind = c.kind
    where s.distribution_id = p_distribution_id;
end
$function$;
comment on function knowledge.count_vectors(bigint) is
'Counts the cards of a distribution, and those that wait for a vector. Argument p_distribution_id: the distribution.';
grant execute on function knowledge.count_vectors to qm_reader;
