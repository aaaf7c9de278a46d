-- policy.curates_decisions: no role includes this right.
create or replace function policy.curates_decisions()
returns boolean
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select exists (
        select from policy.principal as p
        where p.id = policy.principal_id() and p.curates_decisions and p.kind = 'person'
    );
$function$;
comment on function policy.curates_decisions() is
'Checks whether the caller may curate decisions. Returns true only for a person who was appointed as a curator of '
'decisions (api.appoint_curator).';
grant execute on function policy.curates_decisions to qm_reader;
