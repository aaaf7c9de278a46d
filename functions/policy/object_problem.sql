create or replace function policy.object_problem(p_object jsonb, out key text, out problem text)
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    with member as (
        select m.key, m.value, policy.text_list(m.value) as texts
        from jsonb_each(p_object) as m
    )

    select p.key, p.problem
    into key, problem
    from (
        select
            1 as position,
            m.key,
            format(
                '%L is not a key; the keys are kinds, origins, tools, names, categories, read_only, destructive', m.key
            ) as problem
        from member as m
        where m.key not in ('kinds', 'origins', 'tools', 'names', 'categories', 'read_only', 'destructive')
        union all
        select 2, m.key, 'expected a name or a list of names'
        from member as m
        where m.key in ('kinds', 'origins', 'tools', 'names', 'categories')
            and (
                coalesce(cardinality(m.texts), 0) = 0
                or cardinality(m.texts) > 1000
                or exists (
                    select from unnest(m.texts) as x (text) where coalesce(x.text, '') = '' or length(x.text) > 600
                )
            )
        union all
        select 3, m.key, 'expected true or false'
        from member as m
        where m.key in ('read_only', 'destructive') and jsonb_typeof(m.value) <> 'boolean'
        union all
        select 4, 'tools', 'the key tools already implies the kind, so it cannot be combined with kinds or names'
        where p_object ? 'tools' and p_object ?| '{kinds,names}'
    ) as p
    order by p.position, p.key collate core.c_utf8
    limit 1;
end
$function$;
comment on function policy.object_problem(jsonb) is
'Checks the object of a rule or toolset. (The object contains the conditions that choose cards.) Argument p_object: '
'the object as JSON. Returns the key that contains the first mistake, and the reason. Both are null if there is no '
'mistake.';
