-- core.report_capability: this function is for capabilities that somebody must try out to know whether they work, such
-- as embed(). core.probe_capabilities finds the others.
-- Writes: core.capability.
create or replace function core.report_capability(
    p_name text, p_installed boolean, p_used_for text, p_stand_in text, p_reason text
)
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    insert into core.capability as c (name, required, used_for, stand_in, available, installed, reason, probed_at)
    values (p_name, false, p_used_for, p_stand_in, p_installed, p_installed, p_reason, core.now())
    on conflict (name) do update
    set
        used_for = excluded.used_for,
        stand_in = excluded.stand_in,
        available = excluded.available,
        installed = excluded.installed,
        reason = excluded.reason,
        probed_at = excluded.probed_at;
$function$;
comment on function core.report_capability(text, boolean, text, text, text) is
'Records whether an optional feature of the database server (a capability) works. Arguments: p_name: name of the '
'capability; p_installed: true if the capability works; p_used_for: purpose of the capability; p_stand_in: replacement '
'that is used if the capability is missing; p_reason: reason why the capability does not work (null: the capability '
'works).';
