begin;
select plan(4);

create temporary table matcher as select policy.put_matcher('{"tools": "a__*", "origins": ["b", "c"], "read_only": true}') as id;
select is(policy.put_matcher('{"read_only": true, "origins": ["b", "c"], "tools": "a__*"}'), m.id, 'the same object') from matcher as m;
select isnt(policy.put_matcher('{"tools": "a__*"}'), m.id, 'another object') from matcher as m;
select results_eq(
    $$select p.kinds, p.origins, p.names, p.categories, p.read_only, p.destructive from policy.matcher as p inner join matcher as m on m.id = p.id$$,
    $$values ('{tool}'::text[], '{b,c}'::text[], '{a__*}'::text[], null::text[], true, null::boolean)$$, 'tools are names of the kind tool'
);
select policy.put_matcher('{"kinds": "prompt", "names": "n"}');
select results_eq(
    $$select p.kinds, p.names from policy.matcher as p where p.object ? 'names'$$,
    $$values ('{prompt}'::text[], '{n}'::text[])$$, 'kinds and names'
);

select * from finish();
rollback;
