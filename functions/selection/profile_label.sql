-- selection.profile_label: what a receipt calls a profile: its mode, and eight digits that change with any of its values.
create or replace function selection.profile_label(p_profile selection.mode)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select p_profile.name || '/' || left(md5(p_profile::text), 8);
$function$;
comment on function selection.profile_label(selection.mode) is 'Such as balanced/1f2e3d4c. Argument: a profile in the form of a mode.';
