-- api.suggest_aliases: there are two sources of suggestions: strings that were looked up and have no match now, each
-- with the row to which it may refer; and variants of a row's value with which a lookup does not find this row now
-- (lookup.alias_forms). Only curators may call the function.
-- Definer: curators see only their own rows of selection.receipt. From the other rows, they get queries without a
-- match, but not who asked. They still get only rows of lookup tables that they may see, because lookup.glance and this
-- function check policy.is_visible.
create or replace function api.suggest_aliases(lookup text, asked jsonb default null, maximum integer default 20)
returns table (id text, value text, alias text, form text, times integer, score real)
language plpgsql
stable parallel unsafe security definer
rows 20
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_most constant integer := (core.get_setting('lookup.max_batch'))::integer;
    v_table_id integer;
    v_threshold real;
    v_found integer;
begin
    perform policy.require_curator();
    v_table_id := lookup.require_table(suggest_aliases.lookup);
    select t.threshold into v_threshold from lookup.lookup_table as t where t.id = v_table_id;
    perform core.require_between(
        'the number of suggestions', suggest_aliases.maximum, 1, 1000, 'Ask for 1 to 1000 suggestions.'
    );
    if jsonb_typeof(suggest_aliases.asked) not in ('object', 'null')
        or jsonb_path_exists(suggest_aliases.asked, '$.* ? (@.type() != "number" || @ < 1 || @ > 1000000000)')
    then
        perform core.fail(
            'argument_invalid',
            'the strings must be a JSON object {string: number of times}',
            null,
            'Send {"vartbjork": 3}.'
        );
    end if;
    if (select count(*) from jsonb_object_keys(suggest_aliases.asked)) > v_most then
        perform core.fail('batch_too_large', format('at most %s strings are allowed', v_most));
    end if;
    return query
    with string as materialized (
        select
            (array_agg(btrim(g.text) order by g.times desc, g.text))[1] as text,
            sum(g.times)::integer as times
        from (
            select e.key as text, e.value::text::numeric as times
            from jsonb_each(suggest_aliases.asked) as e
            union all
            -- The strings come from stored receipts of recent queries without a match.
            (
                select r.goal, count(*)
                from selection.receipt as r
                where suggest_aliases.asked is null
                    and r.kind = 'lookup'
                    and r.origin = suggest_aliases.lookup
                    and r.goal_hash is not null
                    and r.created_at > core.now() - interval '90 days'
                    and r.goal is not null
                    and not r.detail ? 'error'
                    and not (r.detail ->> 'match')::boolean
                group by r.goal
                order by 2 desc, 1
                limit 300
            )
        ) as g
        where length(g.text) <= 500 and lookup.normalize(g.text) <> ''
        group by lookup.normalize(g.text)
    )

    select a.id, a.value, s.text, 'asked', s.times, a.score
    from string as s
    cross join lateral (
        select x.id, x.value, x.score, x.match
        from lookup.answer(v_table_id, s.text, 2, p_threshold => 0) as x
        where x.rank = 1
    ) as a
    -- If the probability is lower than this value, the string usually stands for none of the rows.
    where not (a.match and a.score >= v_threshold)
        and a.score >= 0.2
        and lookup.same_name(v_table_id, '', s.text) = '{}'
    order by s.times desc, a.score desc, s.text
    limit suggest_aliases.maximum;
    get diagnostics v_found = row_count;

    -- If the caller passed no strings, the rest of the list is filled with variants of the rows' values.
    if suggest_aliases.asked is not null then
        return;
    end if;
    return query
    select r.key, r.value, f.alias, f.form, null::integer, coalesce(a.score, 0)
    from (select g.* from lookup.alias_forms(v_table_id) as g limit 5 * suggest_aliases.maximum) as f
    inner join lookup.lookup_row as r on r.id = f.row_id
    inner join lookup.lookup_name as n on n.row_id = r.id and not n.is_alias
    inner join search.card as c on c.kind = 'lookup' and c.ref = n.id
    left join lateral (
        select x.score, x.match
        from lookup.answer(v_table_id, f.alias, 5, p_threshold => 0) as x
        where x.id = r.key
    ) as a on true
    where policy.is_visible(c.rights_class, (select policy.visible_classes()))
        and not coalesce(a.match and a.score >= v_threshold, false)
    limit suggest_aliases.maximum - v_found;
end
$function$;
comment on function api.suggest_aliases(text, jsonb, integer) is
'Suggests names that a curator may want to give to rows of a lookup table. The function adds no names. Arguments: '
'lookup: name of the lookup table; asked: strings that were looked up, as {string: number of lookups}, with at most as '
'many members as the setting lookup.max_batch allows (null: the strings in the records of lookups, and variants of the '
'values); maximum: maximum number of suggestions (1 to 1,000). Returns for each suggestion: the id and the value of '
'the row; the suggested name; where this name comes from (asked: the given or recorded strings; otherwise it was made '
'from the value: in brackets, without brackets, part, turned round (the parts around a comma are swapped) or '
'initials); how often the name was looked up; and the probability with which the name finds the row now. Names that '
'were looked up most often come first. Raises QM403 curator_required, QM404 unsupported_table, QM413 batch_too_large, '
'QM422 argument_invalid. Can be null: times.';
grant execute on function api.suggest_aliases to qm_user;
