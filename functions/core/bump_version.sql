-- core.bump_version: everybody who sees the change also sees the new number. It runs once for each statement, so it
-- writes only one row even if many rows change.
-- Definer: a role that changes the table need not have permission to write core.version.
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
comment on function core.bump_version() is
'Trigger that increments a counter in the transaction of the change. It runs after each statement. First trigger '
'argument: name of the counter in core.version. Second trigger argument (optional): the word "rows"; a statement that '
'changes no row is then not counted, and the trigger needs a transition table called "changed".';
