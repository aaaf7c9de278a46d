-- api.put_toolset: a toolset is an MCP endpoint with a name. It shows only the items that its conditions (pins) choose.
-- Writes: policy.toolset, rights classes of origins, items and cards.
create or replace function api.put_toolset(name text, pinned jsonb, description text default '')
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_wrong record;
begin
    perform policy.require_principal();
    if put_toolset.name is null or put_toolset.name !~ '^[a-z0-9][a-z0-9_-]{0,62}$' then
        perform core.fail(
            'toolset_invalid',
            format('%L is not a valid toolset name', left(put_toolset.name, 100)),
            null,
            'Use lower-case letters, digits, - and _; the name is part of a URL.'
        );
    end if;
    if put_toolset.name = 'reconcile'
        or exists (select from catalog.origin as o where o.name = put_toolset.name and o.transport = 'built-in')
    then
        perform core.fail(
            'toolset_invalid',
            format('the name %s is reserved for an endpoint of Quartermaster', put_toolset.name),
            null,
            'Choose another name.'
        );
    end if;
    if jsonb_typeof(put_toolset.pinned) is distinct from 'object' or put_toolset.pinned = '{}' then
        perform core.fail(
            'toolset_invalid',
            format('no tools are chosen for the toolset %s', put_toolset.name),
            null,
            'Choose tools, origins or categories: with qm, use --tool, --origin, --category or --read-only.'
        );
    end if;
    select o.key, o.problem into v_wrong from policy.object_problem(put_toolset.pinned) as o;
    if v_wrong.problem is not null then
        perform core.fail(
            'toolset_invalid', format('toolset %s, %s: %s', put_toolset.name, v_wrong.key, v_wrong.problem)
        );
    end if;

    perform policy.lock_rights(true);
    insert into policy.toolset as t (name, description, matcher_id, created_at)
    values (put_toolset.name, coalesce(put_toolset.description, ''), policy.put_matcher(put_toolset.pinned), core.now())
    on conflict on constraint toolset_name_key do update
    set description = excluded.description, matcher_id = excluded.matcher_id;
    perform catalog.classify();
end
$function$;
comment on function api.put_toolset(text, jsonb, text) is
'Creates or replaces a toolset. Arguments: name: name of the toolset; pinned: conditions that choose the items, as '
'JSON with the keys kinds, origins, tools or names, categories, read_only and destructive; description: description of '
'the toolset. Raises QM422 toolset_invalid.';
grant execute on function api.put_toolset to qm_admin;
