begin;
select plan(4);

create function pg_temp.places() returns lookup.places language sql immutable
return lookup.places_of('{abbreviates,words_said,evidence,property_true,property_false}');

select is(
    lookup.answer_key('poecilus lepidus', '{1,2,3,0,0}', pg_temp.places()),
    lookup.answer_key('psallus lepidus', '{1,2,3,0,0}', pg_temp.places()),
    'an abbreviation that fits two names equally has one answer'
);
select isnt(
    lookup.answer_key('poecilus lepidus', '{1,2,3,1,0}', pg_temp.places()),
    lookup.answer_key('psallus lepidus', '{1,2,3,0,1}', pg_temp.places()),
    'a property tells them apart'
);
select isnt(
    lookup.answer_key('betula nana', '{0,2,3,0,0}', pg_temp.places()),
    lookup.answer_key('betula alba', '{0,2,3,0,0}', pg_temp.places()),
    'without an abbreviation, the name is the answer'
);

create function pg_temp.plan_lines() returns setof text
language plpgsql
as $$
begin
    return query execute
        'explain (verbose, costs off) select lookup.answer_key(c.label, ''{1,2}'', pg_temp.places()) from search.card as c';
end
$$;
select is(
    (select count(*) from pg_temp.plan_lines() as p where p like '%answer_key%'),
    0::bigint,
    'the planner inlines it, so that no name costs the call of a function'
);

select * from finish();
rollback;
