-- decisions.check_problem: a check has one of the forms in decisions.check_form. For safety, a form contains only names
-- and paths, and no command and no regular expression.
create or replace function decisions.check_problem(p_check jsonb)
returns text
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_schema constant jsonb := (select f.schema from decisions.check_form as f where f.form = p_check ->> 'form');
    v_problem text;
begin
    if p_check is null or p_check = 'null' then
        return null;
    end if;
    if v_schema is null then
        return format(
            'the form of a check is one of %s',
            (select string_agg(f.form, ', ' order by f.form) from decisions.check_form as f)
        );
    end if;
    v_problem := decisions.schema_problem(v_schema, p_check);
    if v_problem is null and (
        select sum(length(g.glob)) > 10000
        from unnest('{paths,except,allowed}'::text[]) as m (name)
        cross join lateral jsonb_array_elements_text(p_check -> m.name) as g (glob)
    ) then
        v_problem := 'its globs have more than 10000 characters together';
    end if;
    return v_problem;
end
$function$;
comment on function decisions.check_problem(jsonb) is
'Checks the definition of a check. (A check compares new code with a decision.) Argument p_check: the check as JSON '
'(null: the decision has no check). Returns a sentence about the first mistake. Returns null if there is no mistake.';
