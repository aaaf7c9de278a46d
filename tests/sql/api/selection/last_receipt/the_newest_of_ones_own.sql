begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
select t.read_as(null);
select is(api.last_receipt(), null, 'nobody has none');
select t.read_as('alice');
select is(api.last_receipt(), null, 'nor who has not asked');
select t.at('2026-01-01 10:00+00');
select count(*) from api.select_tools('ticket');
select t.at('2026-01-01 10:01+00');
select count(*) from api.select_tools('zyzzyva');
select is((select r.goal from selection.receipt as r where r.id = api.last_receipt()), 'zyzzyva', 'the newest, also of an empty result');
select is((select r.goal from selection.receipt as r where r.id = api.last_receipt(' ticket ')), 'ticket', 'the newest for a goal');
select is(api.last_receipt('another'), null, 'never asked');
select t.read_as('bob');
select is(api.last_receipt('ticket'), null, 'another''s is not one''s own');

select * from finish();
rollback;
