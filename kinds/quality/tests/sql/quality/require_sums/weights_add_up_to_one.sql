begin;
select plan(4);

update quality.category set weight = 0.5 where name = 'security';
select throws_ok($$set constraints all immediate$$, 'QM422', null, 'weights that exceed 1');
update quality.category set weight = 0.27 where name = 'security';
update quality.checker set share = 0.5 where category = 'security' and tool = 'taint' and language = 'python';
select throws_ok($$set constraints all immediate$$, 'QM422', null, 'shares that exceed 1');
update quality.checker set share = 0.3 where category = 'security' and tool = 'taint' and language = 'python';
update quality.checker set share = 0.4 where category = 'security' and tool = 'bandit' and language = 'python';
select lives_ok($$set constraints all immediate$$, 'several rows change together');
select is((select sum(c.weight) from quality.category as c), 1::numeric, 'all weights');

select * from finish();
rollback;
