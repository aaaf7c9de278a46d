begin;
select plan(3);

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

select * from finish();
rollback;
