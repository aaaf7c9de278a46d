create or replace function catalog.repair_problem(p_changes jsonb, p_is_whole_origin boolean)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when jsonb_typeof(p_changes) is distinct from 'object' then 'the changes must be a JSON object'
        else (
            select c.problem
            from (
                select m.key, case
                    when l.member is null then format('%L cannot be changed', left(m.key, 100))
                    when p_is_whole_origin and not l.of_origin
                        then format('%L can only be changed for one tool', m.key)
                    when l.most is not null and not (
                        jsonb_typeof(m.value) = 'string' and length(btrim(m.value #>> '{}')) between 1 and l.most
                    ) then format('%s must be a text of 1 to %s characters', m.key, l.most)
                    when m.key = 'name' and m.value #>> '{}' !~ '^[A-Za-z0-9_-]+$'
                        then 'name must consist of letters, digits and _ -'
                    when l.items is not null and not (
                        jsonb_typeof(m.value) = 'array'
                        and not m.value @? '$[50]'
                        and not m.value @? format('strict $[*] ? (@.type() != "%s")', l.items)::jsonpath
                        and (l.items = 'object' or not m.value @? '$[*] ? (@ == "" || @ like_regex "^.{201}" flag "s")')
                    ) then format(
                        '%s must be a list of at most 50 %ss', m.key, replace(l.items, 'string', 'short text')
                    )
                    when m.key = 'pinned' and jsonb_typeof(m.value) <> 'boolean' then 'pinned must be true or false'
                    when m.key = 'arguments' then catalog.repaired_arguments_problem(m.value)
                end as problem
                from jsonb_each(p_changes) as m
                left join (
                    values
                    ('name', false, 128, null),
                    ('title', false, 200, null),
                    ('brief', false, 160, null),
                    ('description', false, 20000, null),
                    ('categories', true, null, 'string'),
                    ('phrases', true, null, 'string'),
                    ('examples', false, null, 'object'),
                    ('pinned', true, null, null),
                    ('arguments', true, null, null)
                ) as l (member, of_origin, most, items) on l.member = m.key
            ) as c
            where c.problem is not null
            order by c.key collate core.c_utf8
            limit 1
        )
    end;
$function$;
comment on function catalog.repair_problem(jsonb, boolean) is
'Checks the changes of a repair. Arguments: p_changes: the changes, as in catalog.repair.changes; p_is_whole_origin: '
'whether they apply to all tools of an origin. Returns a sentence about the first mistake (null: there is none).';
