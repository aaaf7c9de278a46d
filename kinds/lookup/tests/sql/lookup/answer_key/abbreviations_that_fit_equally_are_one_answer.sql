begin;
select plan(4);

select is(
    lookup.answer_key('poecilus lepidus', '{1,2,3,0,0}', '{1,2,3,4,5}'),
    lookup.answer_key('psallus lepidus', '{1,2,3,0,0}', '{1,2,3,4,5}'),
    'an abbreviation that fits two names equally has one answer'
);
select isnt(
    lookup.answer_key('poecilus lepidus', '{1,2,3,1,0}', '{1,2,3,4,5}'),
    lookup.answer_key('psallus lepidus', '{1,2,3,0,1}', '{1,2,3,4,5}'),
    'a property tells them apart'
);
select isnt(
    lookup.answer_key('betula nana', '{0,2,3,0,0}', '{1,2,3,4,5}'),
    lookup.answer_key('betula alba', '{0,2,3,0,0}', '{1,2,3,4,5}'),
    'without an abbreviation, the name is the answer'
);

create function pg_temp.plan_lines() returns setof text
language plpgsql
as $$
begin
    return query execute
        'explain (verbose, costs off) select lookup.answer_key(c.label, ''{1,2}'', ''{1,2,3,4,5}'') from search.card as c';
end
$$;
select is(
    (select count(*) from pg_temp.plan_lines() as p where p like '%answer_key%'),
    0::bigint,
    'the planner inlines it, so that no name costs the call of a function'
);

select * from finish();
rollback;
