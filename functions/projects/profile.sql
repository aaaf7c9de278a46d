-- projects.profile: the kinds contribute the facts (hook point project_facts); facts under the same heading are joined
-- in one line.
create or replace function projects.profile(p_project_id integer)
returns text
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_name constant text := (select p.name from projects.project as p where p.id = p_project_id);
    v_hook regproc;
    v_facts jsonb := jsonb_build_array();
    v_more jsonb;
begin
    for v_hook in select h from core.hooks('project_facts') as h loop
        execute format('select %s($1)', v_hook) into v_more using p_project_id;
        v_facts := v_facts || coalesce(v_more, '[]');
    end loop;
    return coalesce(
        (
            select string_agg(format('%s: %s', l.heading, l.told), E'\n' order by l.place)
            from (
                select
                    coalesce(f.fact ->> 0, v_name) as heading,
                    string_agg(f.fact ->> 1, ', ' order by f.place) as told,
                    max(f.place) as place
                from jsonb_array_elements(v_facts) with ordinality as f (fact, place)
                group by f.fact ->> 0
            ) as l
        ),
        v_name
    );
end
$function$;
comment on function projects.profile(integer) is
'Summarises what the kinds know about a project. Argument p_project_id: id of the project. Returns lines of text, such '
'as the numbers of files in each language, of indexed packages, of canonical decisions and of the project''s notes.';
grant execute on function projects.profile to qm_reader;
