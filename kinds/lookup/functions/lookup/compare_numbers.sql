-- lookup.compare_numbers: lookup.features calls this function only if the query contains a number. "offset 0" makes the
-- planner compute a lateral subquery once. Without "offset 0", PostgreSQL would compute the subquery for each use of
-- its columns.
create or replace function lookup.compare_numbers(p_question lookup.question, p_candidates lookup.candidate[])
returns double precision[]
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan -- the plan is the same for every query, and planning has a cost
as $function$
declare
    v_label constant text := p_question.label;
    v_words constant text[] := p_question.words;
    v_code constant text := lower(
        substring(btrim(p_question.text) from '^([[:alpha:]]{1,5})-[0-9]+$' collate core.c_utf8) collate core.c_utf8
    );
    v_numbers constant text[] := array(
        select distinct m.parts[1] from regexp_matches(v_label, '[0-9]+', 'g') as m (parts)
    );
    v_whole text := v_label;
    v_all_numbers text[] := array[]::text[];
    v_whole_numbers text[] := array[]::text[];
begin
    if p_question.text ~ '[0-9]' then
        -- The label is cut, but a number at the end of a long text may be the one that differs.
        if length(p_question.text) > 300 then
            v_whole := lookup.normalize(left(p_question.text, 1000));
        end if;
        v_all_numbers := array(select m.parts[1] from regexp_matches(v_whole, '[0-9]+', 'g') as m (parts));
        v_whole_numbers := array(
            select m.parts[1] from regexp_matches(v_whole, '\m[0-9]+\M' collate core.c_utf8, 'g') as m (parts)
        );
    end if;
    return array(
        select array[
            coalesce(u.found / nullif(cardinality(v_numbers), 0)::double precision, 0),
            coalesce(1 - u.found / nullif(u.count, 0)::double precision, 0),
            coalesce(
                (
                    select avg((strpos(' ' || c.label || c.evidence, ' ' || x.number) = 0)::integer)
                    from unnest(v_numbers) as x (number)
                ),
                0
            )::double precision,
            (
                case
                    when v_all_numbers = '{}' then false
                    when u.numbers = '{}' then
                        c.label <> coalesce(v_code, '')
                        and exists (
                            select from unnest(v_whole_numbers) as w (number)
                            where w.number !~ '^(1[6-9]|20)[0-9]{2}$' and strpos(c.evidence, ' ' || w.number || ' ') = 0
                        )
                    else
                        exists (select from (select unnest(v_all_numbers) except all select unnest(u.numbers)) as x)
                        and exists (select from (select unnest(u.numbers) except all select unnest(v_all_numbers)) as x)
                        -- A letter after a number belongs to it: 33 and 33n differ.
                        or (v_label || ' ' || c.label) ~ '[0-9][a-z]( |$)' and exists (
                            select
                            from unnest(c.words) as l (word)
                            inner join unnest(v_words) as q (word)
                                on substring(q.word from '^[0-9]+') = substring(l.word from '^[0-9]+')
                            where l.word ~ '^[0-9]+[a-z]?$'
                                and q.word ~ '^[0-9]+[a-z]?$'
                                and l.word <> all(v_words)
                                and q.word <> all(c.words)
                        )
                end
            )::integer
        ]
        from unnest(p_candidates) with ordinality as c
        cross join lateral (
            select
                count(distinct h.parts[1]) as count,
                count(distinct h.parts[1]) filter (where h.parts[1] = any(v_numbers)) as found,
                coalesce(array_agg(h.parts[1]), '{}') as numbers
            from regexp_matches(c.label, '[0-9]+', 'g') as h (parts)
            offset 0
        ) as u
        order by c.ordinality
    );
end
$function$;
comment on function lookup.compare_numbers(lookup.question, lookup.candidate[]) is
'Compares the numbers in a query with the numbers in names. Arguments: p_question: the query; p_candidates: the names. '
'Returns four values for each name: (1) the share of the query''s numbers that are in the name; (2) the share of the '
'name''s numbers that are not in the query; (3) the share of the query''s numbers that are neither in the name nor in '
'the properties of the row; (4) 1 if the numbers contradict each other, otherwise 0. Numbers contradict each other in '
'three cases: (a) the query and the name each have a number that the other does not have; (b) a number in both of them '
'is followed by different letters, or by a letter in only one of them (33 and 33n); (c) the name has no number, and '
'the query has a number that is neither a year nor a property of the row. In case (c), the query may be a laboratory '
'code such as Ua-8418 if the name consists of the letters of the code.';
