-- search.embed_goal: the vector of a goal if this database can compute it (capability embed), else null and a NOTICE.
-- EXECUTE because search.embed exists only where PL/Python does.
create or replace function search.embed_goal(p_goal text)
returns ext.vector
language plpgsql
stable parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_vector text;
begin
    if not core.has_capability('embed') then
        raise notice 'searching without meaning: this database cannot embed the goal'
            using hint = 'Lexical and fuzzy search answer. select reason from core.capability where name = ''embed'' says why.';
        return null;
    end if;
    execute 'select search.embed($1, $2)' into v_vector using p_goal, core.get_setting('embedding.directory') #>> '{}';
    return v_vector::ext.vector;
end
$function$;
comment on function search.embed_goal(text) is 'Unit vector of the active model, or null with a NOTICE where the database cannot embed.';
grant execute on function search.embed_goal to qm_user;
