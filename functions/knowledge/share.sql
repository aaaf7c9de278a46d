-- knowledge.share: makes the audience of each given distribution: the members of all projects whose environment holds
-- it, or everybody if an environment without a project does.
-- Writes: policy.audience_member, knowledge.distribution, search.card.
create or replace function knowledge.share(p_distributions bigint[] default null)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_open bigint[];
begin
    delete from policy.audience_member as a
    using knowledge.distribution as d
    where d.audience_id = a.audience_id
        and (p_distributions is null or d.id = any(p_distributions))
        and not exists (
            select from knowledge.environment_distribution as h
            inner join knowledge.environment as e on e.id = h.environment_id
            inner join projects.member as m on m.project_id = e.project_id
            where h.distribution_id = d.id and m.principal_id = a.principal_id
        );
    insert into policy.audience_member (audience_id, principal_id)
    select distinct d.audience_id, m.principal_id
    from knowledge.distribution as d
    inner join knowledge.environment_distribution as h on h.distribution_id = d.id
    inner join knowledge.environment as e on e.id = h.environment_id
    inner join projects.member as m on m.project_id = e.project_id
    where d.audience_id is not null and (p_distributions is null or d.id = any(p_distributions))
    on conflict do nothing;

    v_open := array(
        select d.id
        from knowledge.distribution as d
        inner join knowledge.environment_distribution as h on h.distribution_id = d.id
        inner join knowledge.environment as e on e.id = h.environment_id and e.project_id is null
        where d.audience_id is not null and (p_distributions is null or d.id = any(p_distributions))
    );
    if cardinality(v_open) > 0 then
        update search.card as c
        set audience_id = null
        from knowledge.symbol as s
        where s.distribution_id = any(v_open) and c.kind = 'symbol' and c.ref = s.id;
        update knowledge.distribution as d set audience_id = null where d.id = any(v_open);
    end if;
end
$function$;
comment on function knowledge.share(bigint[]) is
'Lets members of a project see the distributions in the environments of the project. Argument p_distributions: ids '
'of distributions, or null for all.';
