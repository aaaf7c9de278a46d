-- policy.drop_classes: call this function only after every card has its new class.
-- Writes: policy.rights_class, policy.subject_rights, policy.audience_rights.
create or replace function policy.drop_classes()
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_active constant integer[] := policy.active_matchers();
begin
    delete from policy.rights_class as c where not c.matchers <@ v_active;
    perform policy.refresh_rights();
end
$function$;
comment on function policy.drop_classes() is
'Removes rights classes (sets of cards to which the same access rules apply) that no card uses, and rebuilds the '
'rights (policy.refresh_rights).';
