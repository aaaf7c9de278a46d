-- search.require_declaration: without the check of the folder, a kind folder could replace a kind that belongs to
-- another folder or to Quartermaster.
create or replace function search.require_declaration(p_declared jsonb, p_folder text)
returns void
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_name constant text := p_declared ->> 'name';
    v_owner constant text := (select k.folder from search.kind as k where k.name = v_name);
    v_missing text;
    v_default text;
begin
    if (v_name ~ '^[a-z][a-z_]{0,30}$') is not true then
        perform core.fail(
            'kind_invalid',
            format('%L is not a valid name for a kind', left(v_name, 200)),
            null,
            'Use 1 to 31 lower-case letters and underscores; start with a letter.'
        );
    end if;
    if v_owner <> p_folder then
        perform core.fail(
            'kind_invalid',
            format(
                'the kind %L already exists, and belongs to %s',
                v_name,
                coalesce('the folder ' || nullif(v_owner, ''), 'Quartermaster')
            ),
            null,
            'Give the kind another name.'
        );
    end if;
    select d.value
    into v_missing
    from jsonb_each_text(p_declared) as d
    inner join pg_attribute as a on a.attrelid = 'search.kind'::regclass and a.attname = d.key collate "C"
    where d.key like '%\_function' and d.value is not null and to_regproc(d.value) is null
    order by a.attnum
    limit 1;
    if v_missing is not null then
        perform core.fail(
            'kind_invalid',
            format('the kind %L names a function %s that does not exist or is overloaded', v_name, v_missing)
        );
    end if;
    if not exists (select from core.error_code as e where e.slug = p_declared ->> 'not_found') then
        perform core.fail(
            'kind_invalid',
            format('the kind %L names an error %s that is not registered', v_name, p_declared ->> 'not_found')
        );
    end if;
    select k.name
    into v_default
    from search.kind as k
    where (p_declared -> 'is_default')::boolean and k.is_default and k.name <> v_name;
    if v_default is not null then
        perform core.fail(
            'kind_invalid',
            format('the kind %L cannot be the default, because %L is already the default', v_name, v_default)
        );
    end if;
end
$function$;
comment on function search.require_declaration(jsonb, text) is
'Raises an error if a kind of card cannot be stored as it is declared: its name is invalid or belongs to another '
'folder, a function or an error that it names does not exist, or there is another default kind already. Arguments: '
'p_declared: the columns of search.kind that the declaration sets, as a JSON object; p_folder: the folder that '
'declares the kind (empty: Quartermaster). Raises QM422 kind_invalid.';
