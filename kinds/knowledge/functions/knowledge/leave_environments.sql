-- knowledge.leave_environments: another transaction may be storing the packages of a folder, and its environment may
-- contain one of the distributions. Therefore, the function waits for such transactions.
-- Writes: knowledge.distribution, policy.audience, cards.
create or replace function knowledge.leave_environments(p_distributions bigint[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_unused bigint[];
begin
    perform search.lock_kind('symbol');
    v_unused := array(
        select d.id
        from knowledge.distribution as d
        where d.id = any(p_distributions)
            and not exists (select from knowledge.environment_distribution as h where h.distribution_id = d.id)
    );
    if cardinality(v_unused) > 0 then
        perform search.remove_cards(
            'symbol', array(select s.id from knowledge.symbol as s where s.distribution_id = any(v_unused))
        );
        with removed as (
            delete from knowledge.distribution as d
            where d.id = any(v_unused)
            returning d.audience_id
        )

        delete from policy.audience as a using removed as r
        where a.id = r.audience_id;
    end if;
    perform knowledge.share(p_distributions);
end
$function$;
comment on function knowledge.leave_environments(bigint[]) is
'Removes distributions that no environment contains any more, with their objects and cards, and updates the audiences '
'of distributions that other environments still contain. Argument p_distributions: ids of distributions that have left '
'an environment.';
