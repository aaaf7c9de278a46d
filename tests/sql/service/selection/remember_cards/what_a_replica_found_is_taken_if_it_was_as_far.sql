begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
select t.read_as('alice');
create temporary table found as select f.* from api.find_cards('ticket', 'fast') as f;
grant select on found to public;
select ok(not service.remember_cards('cards 0', f.cards, 'ticket', 'fast'), 'not of another state') from found as f;
select ok(service.remember_cards(f.counters, f.cards, 'ticket', 'fast'), 'of the same') from found as f;
select ok((select p.is_cached from selection.find_pool('tool', 'ticket', null, selection.require_mode('fast'), '{}') as p), 'the search finds it');
select throws_ok($$select service.remember_cards(f.counters, '{"tool": "cards"}', 'ticket') from found as f$$, '22P02', null, 'not what are no cards');
select t.read_as('bob');
select ok(not p.is_cached, 'nobody else does') from selection.find_pool('tool', 'ticket', null, selection.require_mode('fast'), '{}') as p;
select t.act_as_superuser();
update core.setting set value = '"0"' where name = 'pool.ttl';
select t.read_as('alice');
select ok(not service.remember_cards(f.counters, f.cards, 'ticket', 'fast'), 'nor where nothing is remembered') from found as f;

select * from finish();
rollback;
