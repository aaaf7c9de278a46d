create or replace function lookup.check_rows(p_rows jsonb)
returns void
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_line text;
    v_problem text;
begin
    if jsonb_typeof(p_rows) is distinct from 'array' then
        perform core.fail('lookup_rows_invalid', 'the rows must be a JSON array');
    end if;
    select coalesce(p.row ->> 'line', p.position::text), p.problem
    into v_line, v_problem
    from (
        select
            r.row,
            r.position,
            case
                when jsonb_typeof(r.row) <> 'object' then 'the row is not an object'
                when coalesce(btrim(r.row ->> 'id'), '') = '' then 'the row has no id'
                when length(r.row ->> 'id') > 500 then 'the id is longer than 500 characters'
                when coalesce(btrim(r.row ->> 'value'), '') = '' then 'the row has no value'
                when length(r.row ->> 'value') > 10000 then 'the value is longer than 10,000 characters'
                when jsonb_typeof(coalesce(r.row -> 'aliases', '[]')) not in ('array', 'null')
                    then 'the aliases are not a list'
                when jsonb_typeof(coalesce(r.row -> 'active', 'true')) not in ('boolean', 'null')
                    then 'the value of active is neither true nor false'
                when jsonb_typeof(coalesce(r.row -> 'properties', '{}')) not in ('object', 'null')
                    then 'the properties are not an object'
                when jsonb_typeof(coalesce(r.row -> 'provenance', '{}')) not in ('object', 'null')
                    then 'the provenance is not an object'
                when row_number() over (partition by r.row ->> 'id' order by r.position) > 1
                    then format('the id %L occurs twice', r.row ->> 'id')
            end as problem
        from jsonb_array_elements(p_rows) with ordinality as r (row, position)
    ) as p
    where p.problem is not null
    order by p.position
    limit 1;
    if found then
        perform core.fail('lookup_rows_invalid', format('line %s: %s', v_line, v_problem));
    end if;
end
$function$;
comment on function lookup.check_rows(jsonb) is
'Raises QM422 lookup_rows_invalid if a row is invalid. The error message contains the line number of the first invalid '
'row. Argument p_rows: rows in the form that lookup.put_rows takes.';
