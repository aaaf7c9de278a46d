-- projects.leaves: a path leads out of the project if it is absolute, or if it contains more steps up (..) than down.
-- The order of the steps does not matter.
create or replace function projects.leaves(p_path text)
returns boolean
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select p_path ^@ '/' or exists (
        select from (
            select sum(
                case s.name when '..' then -1 when '.' then 0 when '' then 0 else 1 end
            ) over (order by s.place) as depth
            from string_to_table(p_path, '/') with ordinality as s (name, place)
        ) as d
        where d.depth < 0
    );
$function$;
comment on function projects.leaves(text) is
'Checks whether a path leads out of the project. Argument p_path: a path that projects.below returned. Returns true if '
'the path leads out of the project.';
grant execute on function projects.leaves to qm_reader;
