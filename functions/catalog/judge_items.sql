-- catalog.judge_items: an item must wait if the approval setting of its origin says so. An item need not wait if the
-- part that a model reads is the same as in the last approved version. It also need not wait if its server has just
-- taken the name of a starter, or is a starter that was just added. (A starter is a server that the service adds by
-- itself.) Items that a person adds by hand do not wait. An item that is already stored keeps its public name,
-- unless a repair gives it another one. Repairs are applied first, so everything else judges what callers see.
create or replace function catalog.judge_items(p_kind text, p_origins text[], p_definitions jsonb[], p_by_hand boolean)
returns table (
    place bigint, name text, origin_id bigint, public_name text, definition jsonb, content_hash bytea, labels jsonb,
    reason text, waits_because text
)
language plpgsql
stable parallel safe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_kind search.kind;
    v_definitions jsonb[];
    v_approval constant text := core.get_setting('catalog.approval') #>> '{}';
begin
    select * into v_kind from search.kind as k where k.name = p_kind and k.audience_id is null;
    if v_kind.name is null then
        perform search.refuse_kind(p_kind);
    end if;
    v_definitions := catalog.repair_definitions(
        p_kind,
        p_origins,
        catalog.each_definition(
            v_kind.definition_function,
            array(select case when jsonb_typeof(d) = 'object' then d end from unnest(p_definitions) as d)
        )
    );

    return query
    with given as materialized (
        select
            g.position,
            g.definition,
            coalesce(g.definition #>> '{repair,listed,name}', g.definition ->> v_kind.name_member) as name,
            sha256(convert_to(g.form::text, 'UTF8')) as content_hash,
            g.core,
            case when v_kind.labels_function is not null then g.labels end as labels,
            case when v_kind.problem_function is not null then g.problem #>> '{}' end as problem,
            o.id as origin_id,
            case when p_by_hand then 'none' else coalesce(o.approval, v_approval) end as approval,
            o.slug,
            o.refreshed_at is null and (o.is_starter or o.replaced_by is not distinct from o.id) as is_taken_over,
            case
                when v_kind.naming = 'callable'
                    then catalog.callable_name(
                        o.slug,
                        o.name,
                        coalesce(g.definition #>> '{repair,listed,name}', g.definition ->> v_kind.name_member)
                    )
            end as callable_name
        from unnest(
            p_origins,
            v_definitions,
            catalog.each_definition(v_kind.version_function, v_definitions),
            catalog.each_definition(v_kind.core_function, v_definitions),
            catalog.each_definition(v_kind.labels_function, v_definitions),
            catalog.each_definition(v_kind.problem_function, v_definitions)
        ) with ordinality as g (origin, definition, form, core, labels, problem, position)
        left join catalog.origin as o on o.name = g.origin
    ),

    compared as materialized (
        select
            g.*,
            b.id,
            b.approved_version,
            b.content_hash is distinct from g.content_hash as is_changed,
            row_number() over (partition by g.origin_id, g.name order by g.position) as occurrence,
            coalesce(
                g.definition #>> '{repair,renamed_to}',
                b.definition #>> '{repair,listed_as}',
                b.public_name,
                g.callable_name,
                case
                    when g.name like 'quartermaster://%' or exists (
                        select from catalog.item as x
                        where x.kind = p_kind and x.public_name = g.name and x.origin_id <> g.origin_id
                    ) then 'quartermaster://' || g.slug || '/' || g.name
                    else g.name
                end
            ) as public_name
        from given as g
        -- Each row is looked up separately, because the planner cannot estimate the number of rows,
        -- and a join of thousands of rows would compare millions of pairs.
        left join lateral (
            select x.*
            from catalog.item as x
            where x.origin_id = g.origin_id and x.kind = p_kind and x.name = g.name
            limit 1
        ) as b on true
    ),

    approved as (
        select a.position, a.core
        from (
            select
                array_agg(c.position order by c.position) as positions,
                catalog.each_definition(v_kind.core_function, array_agg(v.definition order by c.position)) as cores
            from compared as c
            inner join catalog.item_version as v on v.item_id = c.id and v.version = c.approved_version
            where c.is_changed
        ) as x
        cross join lateral unnest(x.positions, x.cores) as a (position, core)
    )

    select
        c.position,
        c.name,
        c.origin_id,
        c.public_name,
        c.definition,
        c.content_hash,
        c.labels,
        case
            when c.definition is null then 'the definition is not a JSON object'
            when jsonb_typeof(c.definition -> v_kind.name_member) is distinct from 'string' or c.name = ''
                then 'the name is missing'
            when length(c.name) > 2000 then 'the name is longer than 2000 characters'
            when c.origin_id is null then 'the origin is unknown'
            when c.occurrence > 1 then 'the origin lists this name twice; only the first definition is used'
            when row_number() over (partition by c.public_name, c.occurrence = 1 order by c.position) > 1 or exists (
                select from catalog.item as x
                where x.kind = p_kind
                    and x.public_name = c.public_name
                    and (x.origin_id, x.name) <> (c.origin_id, c.name)
            ) then format('another %s already has the same callable name', p_kind)
            else c.problem
        end,
        case
            when c.approval = 'none' or a.core = c.core then ''
            when c.id is not null and not c.is_taken_over then 'the item changed'
            when c.approval = 'all' then 'the item is new'
            else ''
        end
    from compared as c
    left join approved as a on a.position = c.position;
end
$function$;
comment on function catalog.judge_items(text, text[], jsonb[], boolean) is
'Prepares definitions of one kind for storage. Decides which definitions cannot be stored, and which items must wait '
'for approval. Arguments: as in catalog.put_items. Returns for each definition: the position; the name; the origin '
'(null: unknown); the public name; the form in which the definition is stored; the hash of the part whose change makes '
'a new version; the labels; the reason for a rejection (null: not rejected); and the reason to wait for approval '
'(empty: no reason). Raises QM404 kind_not_found.';
