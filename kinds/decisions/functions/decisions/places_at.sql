-- decisions.places_at: a decision applies to a path if the path is in its scope and its check does not exclude the
-- path. It applies to a folder if it applies to any file in the folder. If it applies only to a part of the folder, the
-- returned number is 0.25. An index finds the globs that begin like the path, and few globs need a regular expression
-- (decisions.glob_parts).
create or replace function decisions.places_at(p_project_id integer, p_path text)
returns table (decision_id bigint, place real)
language plpgsql
stable parallel safe security invoker
rows 100
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan -- the plan is the same for every path, and planning has a cost
as $function$
declare
    v_path constant text := btrim(regexp_replace(coalesce(p_path, ''), '^(\./)+', ''), '/');
    v_language constant text := decisions.language_of(v_path);
    v_is_folder constant boolean := v_language is null;
    v_folder constant text := case when v_path in ('', '.') then '' else v_path || '/' end;
    v_asked constant text := case when v_is_folder then v_folder else v_path end;
    v_is_test constant boolean := v_path ~ '(^|/)tests?(/|$)|(^|/)test_[^/]*$|_tests?\.py$|(^|/)(conftest|tests)\.py$';
    v_prefixes constant text[] := array(
        select left(v_asked, n) from generate_series(0, least(length(v_asked), 500)) as n
    );
begin
    return query
    with fitting as (
        select p.decision_id, p.role, p.depth
        from decisions.place as p
        where p.project_id = p_project_id
            and p.prefix = any(v_prefixes)
            and case
                when v_is_folder then
                    case p.shape
                        when 'tree' then true
                        when 'expression' then v_folder || '_' || p.suffix ~ p.expression collate core.c_utf8
                        else p.shape = 'folder' and p.prefix = v_folder
                    end
                when p.shape = 'file' then p.prefix = v_path
                when right('/' || v_path, length(p.suffix)) <> p.suffix
                    or length(v_path) < length(p.prefix) + length(p.suffix) - (p.shape = 'name')::integer then false
                when p.shape = 'folder' then strpos(substr(v_path, length(p.prefix) + 1), '/') = 0
                when p.shape = 'expression' then v_path ~ p.expression
                else true
            end
        union all
        select p.decision_id, p.role, 0.25 -- only a part of the folder
        from decisions.place as p
        where v_is_folder and p.project_id = p_project_id and p.prefix ^@ v_folder and p.role <> 'except'
    ),

    placed as materialized (
        select
            f.decision_id,
            max(f.depth) filter (where f.role <> 'except') as depth,
            bool_or(f.role = 'check') as fits_check
        from fitting as f
        group by f.decision_id
        having bool_or(f.role = 'scope') and not bool_or(f.role = 'except')
    )

    select
        d.id,
        case
            when (d.check_definition ->> 'tests')::boolean and v_is_test then greatest(p.depth, 0.5)
            else p.depth
        end::real
    from placed as p
    inner join decisions.decision as d on d.id = p.decision_id
    where (d.scope_kind <> 'language' or v_is_folder or lower(d.scope_value) = v_language)
        and (
            d.check_definition is null
            or (v_is_folder or v_language = 'python') -- every form of check is about Python
            and coalesce((d.check_definition ->> 'tests')::boolean = v_is_test, true)
            and (p.fits_check or not d.check_definition ? 'paths')
        );
end
$function$;
comment on function decisions.places_at(integer, text) is
'Finds the decisions that are about a path. Arguments: p_project_id: id of the project; p_path: path of a file or '
'folder, relative to the root of the project. Returns decisions of any status. Returns for each decision a number '
'(place) from 0 to 1, which says how narrow its scope is. The number is 0 if the decision is about every file. It '
'grows with the number of folders that the scope names.';
grant execute on function decisions.places_at to qm_reader;
