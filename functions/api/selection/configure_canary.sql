-- api.configure_canary: only one canary can exist at a time.
-- Writes: selection.canary.
create or replace function api.configure_canary(mode text, percent real, settings jsonb default '{}')
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_mode selection.mode;
begin
    perform policy.require_principal();
    v_mode := selection.require_mode(configure_canary.mode);
    perform selection.require_settings('the canary', configure_canary.settings);
    if configure_canary.percent is null or configure_canary.percent not between 0 and 100 then
        perform core.fail(
            'profile_invalid', format('percent must be between 0 and 100, got %s', configure_canary.percent)
        );
    end if;

    -- For a moment, the canary is stored as a mode, so that the checks for modes apply to it. Then this is undone, so
    -- that the audit has no record of it.
    begin
        insert into selection.mode
        select r.*
        from jsonb_populate_record(v_mode, configure_canary.settings || '{"name": "canary"}') as r;
        perform core.fail('profile_invalid', 'taken back');
    exception
        when sqlstate 'QM422' then
            null;
    end;

    delete from selection.canary as c where c.mode <> configure_canary.mode or configure_canary.percent = 0;
    if configure_canary.percent > 0 then
        insert into selection.canary as c (mode, percent, settings)
        values (configure_canary.mode, configure_canary.percent, configure_canary.settings)
        on conflict on constraint canary_pkey do update
        set percent = excluded.percent, settings = excluded.settings
        where (c.percent, c.settings) is distinct from (excluded.percent, excluded.settings);
    end if;
exception
    when not_null_violation or check_violation or invalid_text_representation or numeric_value_out_of_range then
        perform core.fail(
            'profile_invalid', format('the changed settings for the trial (canary) cannot be used: %s', sqlerrm)
        );
end
$function$;
comment on function api.configure_canary(text, real, jsonb) is
'Starts a canary, which is a trial of changed settings: a share of the searches in a mode uses these settings. '
'Arguments: mode: name of the search mode; percent: percentage of the searches in this mode that use the changed '
'settings (0: end the trial); settings: JSON object with the changed settings. The view selection.mode_outcome '
'compares the canary with the mode. Raises QM422 mode_unknown, profile_invalid.';
grant execute on function api.configure_canary to qm_operator;
