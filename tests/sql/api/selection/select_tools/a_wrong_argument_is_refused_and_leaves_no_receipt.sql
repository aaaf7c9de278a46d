begin;
select plan(12);

select t.make_catalog(), t.make_principal('alice');
select t.read_as('alice');
select throws_ok($$select * from api.select_tools('')$$, 'QM422', null, 'an empty goal');
select throws_ok($$select * from api.select_tools(E' \n ')$$, 'QM422', null, 'a goal of space');
select throws_ok($$select * from api.select_tools(null)$$, 'QM422', null, 'no goal');
select throws_ok($$select * from api.select_tools(repeat('goal ', 20480))$$, 'QM413', null, 'a goal of 100 kB');
select throws_ok($$select * from api.select_tools('x', mode => 'warp')$$, 'QM422', null, 'an unknown mode');
select throws_ok($$select * from api.select_tools('x', mode => null)$$, 'QM422', null, 'no mode');
select throws_ok($$select * from api.select_tools('x', top => 0)$$, 'QM422', null, 'none exposed');
select throws_ok($$select * from api.select_tools('x', top => 101)$$, 'QM422', null, 'too many exposed');
select is((select count(*) from selection.receipt as r), 0::bigint, 'no receipt');
select lives_ok($$select * from api.select_tools(repeat('goal ', 3999))$$, 'a long goal is fine');
select is_empty($$select * from api.select_tools('zyzzyva')$$, 'nothing found is no error');
select is((select count(*) from selection.receipt as r where r.offered = '[]'), 2::bigint, 'and has a receipt');

select * from finish();
rollback;
