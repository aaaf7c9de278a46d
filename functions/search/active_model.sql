-- search.active_model: returns the embedding model that goals use. Weights learned with its vectors have its name as
-- profile.
create or replace function search.active_model()
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select m.name from search.model as m where m.active;
$function$;
comment on function search.active_model() is 'Returns its name; null if there is none.';
grant execute on function search.active_model to qm_user;
