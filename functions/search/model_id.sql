create or replace function search.model_id(p_name text)
returns integer
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id integer;
begin
    select m.id into v_id from search.model as m where m.name = p_name;
    if v_id is null then
        perform core.fail('model_not_found', format('there is no embedding model called %L', p_name));
    end if;
    return v_id;
end
$function$;
comment on function search.model_id(text) is
'Finds an embedding model. Argument p_name: name of the model. Returns the id of the model. Raises QM404 '
'model_not_found if there is no such model.';
