create or replace function policy.is_curator()
returns boolean
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select exists (
        select from policy.principal as p
        where p.id = policy.principal_id() and (p.is_curator or p.role in ('operator', 'admin'))
    );
$function$;
comment on function policy.is_curator() is
'Checks whether the caller may curate lookup tables. Returns true for curators, operators and administrators.';
grant execute on function policy.is_curator to qm_reader;
