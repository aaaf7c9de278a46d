-- lookup.profiles_of: for a query with a vector, it adds a separate profile called 'vectors:TABLE'. Queries without a
-- vector do not use this profile, so it does not change their scores.
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
                where c.kind = 'lookup'
                    and c.profile = 'shadow:' || p_table
                    and current_setting('qm.lookup_shadow', true) = 'on'
                limit 1
            ),
            (select c.profile from search.coefficient as c where c.kind = 'lookup' and c.profile = p_table limit 1),
            'default'
        )
    ] || case when p_has_vector then array['vectors:' || p_table] end;
$function$;
comment on function lookup.profiles_of(text, boolean) is
'Returns the names of the sets of learned weights (profiles) that are used for a lookup table. Arguments: p_table: '
'name of the lookup table; p_has_vector: true if the query has a vector. The first name is the profile of the shadow '
'if the shadow is searched. Otherwise the first name is the table''s own profile, or "default" if the table has no '
'profile of its own. For a query with a vector, a second name follows; the weights of the second profile are added to '
'the weights of the first profile.';
grant execute on function lookup.profiles_of to qm_reader;
