-- knowledge.count_vectors: if the vector of one of the found objects is missing, counts the cards of their distribution, and
-- those without a vector of the active model. Otherwise, nothing is counted, because that takes time in large libraries.
-- The function runs with the rights of its owner (security definer), because nobody may read vectors.
create or replace function knowledge.count_vectors(
    p_distribution_id bigint, p_found bigint[], out cards bigint, out waiting bigint
)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    if
        exists (select from search.model as m where m.active)
        and exists (
            select from search.card as c
            where c.kind = 'symbol' and c.ref = any(p_found) and not knowledge.has_vector(c.text_hash)
        )
    then
        select count(*), count(*) filter (where e.text_hash is null)
        into cards, waiting
        from knowledge.symbol as s
        inner join search.card as c on c.kind = 'symbol' and c.ref = s.id
        inner join search.model as m on m.active
        left join search.embedding as e on e.model_id = m.id and e.text_hash = c.text_hash and e.kind = c.kind
        where s.distribution_id = p_distribution_id;
    end if;
end
$function$;
comment on function knowledge.count_vectors(bigint, bigint[]) is
'Counts the cards of a distribution, and the cards of this distribution that have no vector yet. Arguments: '
'p_distribution_id: id of the distribution; p_found: ids of the objects that a search found. If all of them have '
'vectors, nothing is counted. Returns both numbers. Both are null if nothing was counted, or if no model is active.';
grant execute on function knowledge.count_vectors to qm_reader;
