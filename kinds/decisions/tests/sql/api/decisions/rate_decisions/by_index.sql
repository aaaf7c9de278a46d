begin;
select plan(8);

select t.make_project('shop', 'alice', 'bob');
select t.make_decisions('shop', t.candidate('Use the session.'), t.candidate('Cache the settings.'));
select t.act_as('alice', 'qm_user');
create temporary table served as select s.* from api.decisions_for('src/api/a.py', 'session') as s;
select throws_ok($$select api.rate_decisions(receipt, '{"9": 3}') from served limit 1$$, 'QM422', null, 'an index is 1 to 8');
select throws_ok($$select api.rate_decisions(receipt, '{"1": 11}') from served limit 1$$, 'QM422', null, 'a rating 1 to 10');
select throws_ok($$select api.rate_decisions(receipt, '[]') from served limit 1$$, 'QM422', null, 'by index');
select throws_ok($$select api.rate_decisions(0, '{"1": 1}')$$, 'QM404', null, 'of a receipt that is there');
select is(api.rate_decisions((select s.receipt from served as s where s.index = 1), '{"1": 9, "2": 2, "3": 5}'), 2, 'each that was served');
select is(api.rate_decisions((select s.receipt from served as s where s.index = 1), '{"1": 8}'), 1, 'again');
select t.act_as_superuser();
select is((select array_agg(c.outcome order by c.ref) from calls.call as c where c.kind = 'decision'), '{ok,failed}', 'the last one counts');
grant select on served to public;
select t.act_as('bob', 'qm_user');
select throws_ok($$select api.rate_decisions(receipt, '{"1": 1}') from served limit 1$$, 'QM404', null, 'a receipt of others is not rated');

select * from finish();
rollback;
