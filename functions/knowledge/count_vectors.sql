-- knowledge.count_vectors: counts the visible cards of a distribution, and those without a vector of the active model. If it is
-- known that no symbol waits for its vector, nothing is counted, because that takes time in large libraries.
-- The function runs with the rights of its owner (security definer), because nobody may read vectors.
create or replace function knowledge.count_vectors(
    p_distribution_id bigint, out cards bigint, out waiting bigint
)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    if not search.is_embedded('symbol') then
        select count(*), count(*) filter (where e.text_hash is null)
        into cards, waiting
        from knowledge.symbol as s
        inner join search.card as c on c.kind = 'symbol' and c.ref = s.id
        inner join search.model as m on m.active
        left join search.embedding as e on e.model_id = m.id and e.text_hash = c.text_hash and e.kind = c.kind
        where s.distribution_id = p_distribution_id and policy.is_visible(c.rights_class, (select policy.visible_classes()))
        having count(*) > count(e.text_hash);
    end if;
end
$function$;
comment on function knowledge.count_vectors(bigint) is
'Counts the cards of a distribution, and the cards of this distribution that have no vector yet. Argument '
'p_distribution_id: id of the distribution. Returns both numbers. Both are null if no vector is missing, or if no model '
'is active.';
grant execute on function knowledge.count_vectors to qm_reader;
