-- search.embed_goal: the database can compute the vector only if it has the capability embed and the folder of the
-- model exists. search.embed is called with EXECUTE, because that function exists only with PL/Python.
-- Definer: callers have no permission to call search.embed, because whoever calls it chooses a folder whose files the
-- server loads. They still cannot choose a folder, because this function takes it from the setting embedding.directory.
create or replace function search.embed_goal(p_goal text, p_is_name boolean default false)
returns ext.vector
language plpgsql
stable parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_vector text;
begin
    perform policy.require_principal();
    if length(p_goal) > core.get_setting('goal.max_length')::integer then
        perform core.fail('goal_too_long', format('the goal is %s characters long', length(p_goal)));
    end if;
    if core.has_capability('embed') then
        begin
            execute 'select search.embed($1, $2, $3)' into v_vector
                using p_goal, core.get_setting('embedding.directory') #>> '{}', p_is_name;
        exception when external_routine_exception then
            raise log 'a goal was not embedded: %', sqlerrm; -- callers need not know the folders of the server
        end;
    end if;
    if v_vector is null then
        raise notice 'searching without vectors: this database cannot embed the goal'
            using hint = 'The goal is searched only by words and similar names. qm doctor shows the reason.';
    end if;
    return v_vector::ext.vector;
end
$function$;
comment on function search.embed_goal(text, boolean) is
'Computes the vector of a goal in the database. Arguments: p_goal: the goal; p_is_name: true if the text is a name to '
'look up instead. A name is never translated. Returns the unit vector in the active model. If the database has no '
'embedding model, raises a NOTICE and returns null. Raises QM403 principal_unknown, QM413 goal_too_long.';
grant execute on function search.embed_goal to qm_reader;
