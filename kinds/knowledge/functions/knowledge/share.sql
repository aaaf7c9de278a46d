-- knowledge.share: when the members of a project change, only the rights of some principals can change. With
-- p_principals, the function examines no others.
-- Writes: policy.audience, policy.audience_member, knowledge.distribution, search.card.
create or replace function knowledge.share(p_distributions bigint[], p_principals bigint[] default null)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_changed record;
    v_audience_id integer;
begin
    for v_changed in
        select d.id, d.name, d.version, d.audience_id, o.is_open
        from knowledge.distribution as d
        cross join lateral (
            select exists (
                select from knowledge.environment_distribution as h
                inner join knowledge.environment as e on e.id = h.environment_id and e.project_id is null
                where h.distribution_id = d.id
            )
        ) as o (is_open)
        where d.id = any(p_distributions) and o.is_open = (d.audience_id is not null)
        order by d.id
    loop
        v_audience_id := null;
        if not v_changed.is_open then
            insert into policy.audience as a (name, created_at)
            values (format('documentation of %s %s', v_changed.name, v_changed.version), core.now())
            returning a.id into v_audience_id;
        end if;
        update knowledge.distribution as d set audience_id = v_audience_id where d.id = v_changed.id;
        update search.card as c
        set audience_id = v_audience_id
        from knowledge.symbol as s
        where s.distribution_id = v_changed.id and c.kind = 'symbol' and c.ref = s.id;
        delete from policy.audience as a where a.id = v_changed.audience_id;
    end loop;

    delete from policy.audience_member as a
    using knowledge.distribution as d
    where d.audience_id = a.audience_id
        and d.id = any(p_distributions)
        and (p_principals is null or a.principal_id = any(p_principals))
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
    where d.audience_id is not null
        and d.id = any(p_distributions)
        and (p_principals is null or m.principal_id = any(p_principals))
    on conflict do nothing;
end
$function$;
comment on function knowledge.share(bigint[], bigint[]) is
'Sets who may see distributions. If an environment without a project contains a distribution, everybody may see the '
'distribution. Otherwise, only members of a project that has an environment with the distribution may see the '
'distribution. Arguments: p_distributions: ids of the distributions; p_principals: ids of the principals whose rights '
'may have changed (null: any principals).';
