-- knowledge.set_audience: gives a distribution and its cards an audience of their own, or shows them to everybody.
-- Writes: policy.audience, knowledge.distribution, search.card.
create or replace function knowledge.set_audience(p_distribution bigint, p_name text)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_before constant integer := (select d.audience_id from knowledge.distribution as d where d.id = p_distribution);
    v_after integer;
begin
    if p_name is not null then
        insert into policy.audience as a (name, created_at)
        values (p_name, core.now())
        returning a.id into v_after;
    end if;
    update knowledge.distribution as d set audience_id = v_after where d.id = p_distribution;
    update search.card as c
    set audience_id = v_after
    from knowledge.symbol as s
    where s.distribution_id = p_distribution and c.kind = 'symbol' and c.ref = s.id;
    delete from policy.audience as a where a.id = v_before;
end
$function$;
comment on function knowledge.set_audience(bigint, text) is
'Changes the audience of a distribution and of its cards. Arguments: p_distribution: id of the distribution; p_name: '
'name of the audience to make; at first it has no members, so nobody sees the distribution (null: everybody sees it).';
