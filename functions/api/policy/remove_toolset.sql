-- api.remove_toolset: sessions that still use the removed toolset see no tools.
-- Writes: policy.toolset, rights classes of origins, items and cards.
create or replace function api.remove_toolset(name text)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    perform policy.lock_rights(true);
    delete from policy.toolset as t where t.name = remove_toolset.name;
    if not found then
        perform core.fail('toolset_not_found', format('there is no toolset called %L', left(remove_toolset.name, 100)));
    end if;
    perform catalog.classify();
end
$function$;
comment on function api.remove_toolset(text) is
'Removes a toolset. Argument name: name of the toolset. Rules that name this toolset stay in the versions of the '
'rules, but no longer apply to anybody. Raises QM404 toolset_not_found.';
grant execute on function api.remove_toolset to qm_admin;
