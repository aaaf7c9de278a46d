-- search.active_model: returns the name of the embedding model that searches use. Weights that were learned with the
-- vectors of a model are stored under its name.
create or replace function search.active_model()
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select m.name from search.model as m where m.active;
$function$;
comment on function search.active_model() is
'Returns the name of the model, or null if no model is active.';
grant execute on function search.active_model to qm_user;
