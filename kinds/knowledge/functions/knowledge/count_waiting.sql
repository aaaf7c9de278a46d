-- knowledge.count_waiting: counting stops at 1,000 visible cards. Without a service that computes vectors, all cards
-- may lack them, and counting all cards would take longer than the lookup. If search.is_embedded says that every symbol
-- has its vector, no card is read.
create or replace function knowledge.count_waiting(p_distribution_id bigint)
returns bigint
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    if search.is_embedded('symbol') then
        return 0;
    end if;
    return (
        select count(*)
        from (
            select
            from knowledge.symbol as s
            inner join search.card as c on c.kind = 'symbol' and c.ref = s.id
            inner join search.model as m on m.active
            where s.distribution_id = p_distribution_id
                and policy.is_visible(c.rights_class, (select policy.visible_classes()))
                and not exists (
                    select from search.embedding as e
                    where e.model_id = m.id and e.text_hash = c.text_hash and e.kind = c.kind
                )
            limit 1000
        ) as w
    );
end
$function$;
comment on function knowledge.count_waiting(bigint) is
'Counts the cards of a distribution that have no vector yet. Argument p_distribution_id: id of the distribution. '
'Returns their number, at most 1000. Returns 0 if no model is active.';
grant execute on function knowledge.count_waiting to qm_reader;
