-- Writes: policy.rule_version.
create or replace function policy.set_active(p_version_id integer, p_is_pinned boolean)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_active policy.rule_version;
begin
    select * into v_active from policy.rule_version as v where v.is_active;
    if p_version_id is null then
        perform core.fail('rules_not_found', 'no other version of the rules was active earlier');
    end if;
    perform from policy.rule_version as v where v.id = p_version_id;
    if not found then
        perform core.fail('rules_not_found', format('the rules have no version %s', p_version_id));
    end if;
    if v_active.is_pinned and v_active.id <> p_version_id then
        perform core.fail(
            'rules_pinned',
            format('version %s of the rules is pinned, so no other version can be activated', v_active.id)
        );
    end if;
    if v_active.id is distinct from p_version_id then
        update policy.rule_version as v set is_active = false where v.is_active;
    end if;
    update policy.rule_version as v
    set
        is_active = true,
        is_pinned = p_is_pinned,
        activated_at = case when v.is_active then v.activated_at else core.now() end,
        activated_by = case when v.is_active then v.activated_by else policy.principal_id() end
    where v.id = p_version_id;
end
$function$;
comment on function policy.set_active(integer, boolean) is
'Activates a version of the rules. catalog.activate_rules calls this function, and then assigns new rights classes to '
'the cards. Arguments: p_version_id: number of the version; p_is_pinned: true to pin the version until somebody unpins '
'the version. Raises QM404 rules_not_found, QM409 rules_pinned.';
