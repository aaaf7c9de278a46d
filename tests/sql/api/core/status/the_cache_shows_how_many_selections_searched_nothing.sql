begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('boss', 'admin');
select t.read_as('alice');
select is(api.status() -> 'cache', '{"selections": 0, "hit_rate": null}'::jsonb, 'nothing was asked, so there is no rate');
select count(*) from api.select_tools('open a ticket');
select is(api.status() -> 'cache', '{"selections": 1, "hit_rate": 0}'::jsonb, 'the first time it is searched for');
select count(*) from api.select_tools('open a ticket');
select count(*) from api.select_tools('open a ticket');
select count(*) from api.select_tools('what time is it');
select is(api.status() -> 'cache', '{"selections": 4, "hit_rate": 0.5}'::jsonb, 'a goal asked again searches nothing');
select t.read_as('bob');
select is(api.status() -> 'cache' -> 'selections', '0'::jsonb, 'users count their own');
select t.read_as('boss', 'qm_admin');
select is(api.status() -> 'cache' -> 'hit_rate', '0.5'::jsonb, 'administrators those of all');
select t.at(now() + interval '2 hours');
select is(api.status() -> 'cache' -> 'selections', '0'::jsonb, 'only the last hour counts');

select * from finish();
rollback;
