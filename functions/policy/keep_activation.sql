-- Writes: policy.rule_activation.
create or replace function policy.keep_activation()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    update policy.rule_activation as a
    set valid_to = greatest(a.valid_from, core.now())
    where a.valid_to is null and not (new.is_active and a.version_id = new.id);
    if new.is_active and not exists (select from policy.rule_activation as a where a.valid_to is null) then
        insert into policy.rule_activation (version_id, valid_from, activated_by)
        values (new.id, core.now(), new.activated_by);
    end if;
    return null;
end
$function$;
comment on function policy.keep_activation() is
'Trigger that records the periods in which each version of the rules is active. It runs once for each row in which the '
'column is_active has changed.';
