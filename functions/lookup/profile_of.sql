-- lookup.profile_of: whose weights score a table: those of the shadow where it is being asked, its own, or the default.
create or replace function lookup.profile_of(p_table text)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        (
            select c.profile
            from lookup.coefficient as c
            where c.profile = 'shadow:' || p_table and current_setting('qm.lookup_shadow', true) = 'on'
            limit 1
        ),
        (select c.profile from lookup.coefficient as c where c.profile = p_table limit 1),
        'default'
    );
$function$;
comment on function lookup.profile_of(text) is 'Argument: name of a table. Returns the profile of its weights in lookup.coefficient.';
grant execute on function lookup.profile_of to qm_user;
