-- core.bump_version: trigger that counts a change, in the changing transaction: whoever sees the change sees the new number.
-- Statement by statement, so that it costs one row however many were changed. A second argument says that the trigger names its rows
-- changed: then a statement without any does not count.
-- Definer because whoever may change the table need not be able to write counters.
-- Writes: core.version.
create or replace function core.bump_version()
returns trigger
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    if tg_nargs = 2 then
        perform from changed limit 1;
        if not found then
            return null;
        end if;
    end if;
    insert into core.version as v (name, value)
    values (tg_argv[0], 1)
    on conflict (name) do update set value = v.value + 1;
    return null;
end
$function$;
comment on function core.bump_version() is 'Trigger, after each statement. Arguments: name of the counter in core.version; rows, where the trigger has a transition table changed.';
