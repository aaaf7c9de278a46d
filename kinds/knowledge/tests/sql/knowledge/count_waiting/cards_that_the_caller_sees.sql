begin;
select plan(4);

select t.make_principal('bob'), t.make_project('shop', 'alice');
select t.make_library('shop', 'acme'), t.make_library('shop', 'both');
create temporary table wanted as select d.id from knowledge.distribution as d where d.name = 'acme';
grant select on wanted to public;
select search.put_model('m', 4, true);
select t.read_as('alice');
select is((select knowledge.count_waiting(w.id) from wanted as w), 1::bigint, 'a card of this library has no vector');
select t.read_as('bob');
select is((select knowledge.count_waiting(w.id) from wanted as w), 0::bigint, 'cards of others are not counted');
select t.act_as_superuser();
select t.embed_cards('symbol', 'm');
select t.read_as('alice');
select is((select knowledge.count_waiting(w.id) from wanted as w), 0::bigint, 'all vectors are there');
select t.read_as(null);
select throws_ok($$select knowledge.count_waiting(0)$$, 'QM403', null, 'nobody asks without a principal');

select * from finish();
rollback;
