-- lookup.profiles_of: whose weights score a table: those of the shadow where it is being asked, its own, or the default; and beside them, for
-- a query with a vector, what the profile vectors:TABLE adds: without one the answer is what it was.
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
'Arguments: name of a table; whether the query has a vector. Returns the profiles of search.coefficient that are added up, that of the table first.';
grant execute on function lookup.profiles_of to qm_user;
