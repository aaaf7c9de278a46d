-- search.active_model: the embedding model that queries use: the profile of weights that were learned with its vectors.
create or replace function search.active_model()
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select m.name from search.model as m where m.active;
$function$;
comment on function search.active_model() is 'Its name; null where there is none.';
grant execute on function search.active_model to qm_user;
