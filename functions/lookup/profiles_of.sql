-- lookup.profiles_of: returns the profiles that score a table: its shadow's when that is asked, its own, or the
-- default.
-- For a query with a vector it adds the profile vectors:TABLE, so that a query without one is scored as before.
create or replace function lookup.profiles_of(p_table text, p_has_vector boolean default false)
returns text[]
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select array[
        coalesce(
            (
                select c.profile
                from search.coefficient as c
                where c.kind = 'lookup' and c.profile = 'shadow:' || p_table and current_setting('qm.lookup_shadow', true) = 'on'
                limit 1
            ),
            (select c.profile from search.coefficient as c where c.kind = 'lookup' and c.profile = p_table limit 1),
            'default'
        )
    ] || case when p_has_vector then array['vectors:' || p_table] end;
$function$;
comment on function lookup.profiles_of(text, boolean) is
'Arguments: name of a table; whether the query has a vector. Returns profiles of search.coefficient whose weights '
'are added up, that of the table first.';
grant execute on function lookup.profiles_of to qm_user;
