begin;
select plan(7);

select t.make_lookups(), t.make_principal('alice');
select t.act_as('alice');
select results_eq($$select r.id from api.lookup_rows('plant', maximum => 2) as r$$, array['1', '2'], 'the first page');
select results_eq($$select r.id from api.lookup_rows('plant', after => '2', maximum => 2) as r$$, array['3', '5'], 'the next, without what is retired');
select results_eq($$select r.id from api.lookup_rows('plant', active_only => false, in_language => '') as r$$, array['4', '6'], 'of a language');
select throws_ok($$select * from api.lookup_rows('plant', maximum => 0)$$, 'QM422', null, 'a page without rows');
select results_eq($$select r.id from api.lookup_rows('plant', maximum => 2, skipped => 1) as r$$, array['2', '3'], 'a page by its place');
select throws_ok($$select * from api.lookup_rows('plant', skipped => -1)$$, 'QM422', null, 'a place before the first');
select throws_ok($$select * from api.lookup_rows('nowhere')$$, 'QM404', null, 'an unknown table');

select * from finish();
rollback;
