-- catalog.refuse_withheld: says so where a tool that the asking principal may see otherwise waits for approval or is in quarantine.
-- Nothing of its definition is told: that is what it is withheld for.
-- Definer because users do not read the rows of withheld tools.
-- Raises: QM409 tool_withheld.
create or replace function catalog.refuse_withheld(p_name text)
returns void
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_status constant text := (
        select t.status
        from catalog.tool as t
        where t.callable_name = p_name
            and t.status in ('pending', 'quarantined')
            and t.deprecated_at is null
            and policy.is_visible(t.rights_class, (select policy.visible_classes()))
    );
begin
    perform policy.require_principal();
    if v_status is not null then
        perform core.fail(
            'tool_withheld',
            format('the tool %L %s', p_name, case v_status when 'pending' then 'waits for approval' else 'is in quarantine' end)
        );
    end if;
end
$function$;
comment on function catalog.refuse_withheld(text) is 'Argument: callable name. Raises QM409 tool_withheld, or returns.';
grant execute on function catalog.refuse_withheld to qm_user;
