begin;
select plan(1);
select results_eq(
    $$select quality.is_test(p.path) from unnest('{tests/a.py,pkg/test_a.py,pkg/a_test.py,conftest.py,src/latest.py,attest/a.py,src/testing_ground.py}'::text[]) with ordinality as p (path, place) order by p.place$$,
    $$values (true), (true), (true), (true), (false), (false), (false)$$, 'folders and names of tests'
);
select * from finish();
rollback;
