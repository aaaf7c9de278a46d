-- Writes: policy.rule_version, rights classes of origins, items and cards, repairs.
create or replace function catalog.activate_rules(p_version_id integer, p_is_pinned boolean)
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_previous integer;
    v_item_ids bigint[];
    v_classes integer[];
    v_principal_ids bigint[];
    v_rights bit varying[];
    v_changes jsonb;
    v_repairs jsonb;
begin
    perform policy.lock_rights(true);
    select v.id into v_previous from policy.rule_version as v where v.is_active;
    select array_agg(i.id), array_agg(i.rights_class)
    into v_item_ids, v_classes
    from catalog.item as i
    inner join search.kind as k on k.name = i.kind and k.has_outcomes
    where i.deprecated_at is null;
    select array_agg(p.id), array_agg(policy.rights_of(p.id))
    into v_principal_ids, v_rights
    from policy.principal as p
    where p.enabled;

    perform policy.set_active(p_version_id, p_is_pinned);
    v_repairs := catalog.activate_repairs(p_version_id, v_previous);
    perform catalog.classify();

    with moved as materialized (
        select
            b.class as before,
            i.rights_class as after,
            count(*) as tools,
            to_jsonb((array_agg(i.public_name order by i.public_name))[:20]) as names
        from unnest(v_item_ids, v_classes) as b (id, class)
        inner join catalog.item as i on i.id = b.id
        group by 1, 2
    ),

    compared as (
        select r.principal_id, m.tools, m.names, get_bit(r.after, m.after) = 1 as is_gained
        from (
            select x.principal_id, x.before, policy.rights_of(x.principal_id) as after
            from unnest(v_principal_ids, v_rights) as x (principal_id, before)
            offset 0 -- the rights are computed once for each principal
        ) as r
        cross join moved as m
        where get_bit(r.before, m.before) <> get_bit(r.after, m.after)
    )

    select coalesce(jsonb_agg(c.change order by c.name), '[]')
    into v_changes
    from (
        select
            p.name,
            jsonb_build_object(
                'principal', p.name,
                'role', p.role,
                'organisation', (select o.name from policy.organisation as o where o.id = p.organisation_id),
                'gained', coalesce(sum(c.tools) filter (where c.is_gained), 0),
                'lost', coalesce(sum(c.tools) filter (where not c.is_gained), 0),
                'gains', jsonb_path_query_array(
                    coalesce(jsonb_agg(c.names) filter (where c.is_gained), '[]'), '$[*][*]'
                ),
                'loses', jsonb_path_query_array(
                    coalesce(jsonb_agg(c.names) filter (where not c.is_gained), '[]'), '$[*][*]'
                )
            ) as change
        from compared as c
        inner join policy.principal as p on p.id = c.principal_id
        group by p.id
    ) as c;
    return jsonb_build_object(
        'version', p_version_id, 'previous', v_previous, 'changes', v_changes, 'repairs', v_repairs
    );
end
$function$;
comment on function catalog.activate_rules(integer, boolean) is
'Activates a version of the rules for everybody at the same time, and reports which principals gain and lose which '
'tools. Arguments: p_version_id: number of the version; p_is_pinned: true to pin this version until somebody unpins '
'it. Returns JSON {version, previous, changes: [{principal, role, organisation, gained, lost, gains, loses}], repairs: '
'as catalog.activate_repairs returns}. The members gained and lost are the numbers of tools that the principal gains '
'and loses. The members gains and loses contain the names of these tools (only some of the names if there are many). '
'Raises QM404 rules_not_found, QM409 rules_pinned, QM422 repair_invalid.';
