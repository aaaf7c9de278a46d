begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice');
select t.read_as('alice');

create temporary table found as select f.* from api.find_cards('ticket', 'fast') as f;
select is(
    (select (f.cards ->> 'tool')::search.found[] from found as f),
    (select p.cards from selection.find_pool('tool', 'ticket', null, selection.require_mode('fast'), '{}') as p), 'the pool of a search'
);
select is((select f.counters from found as f), selection.counters(), 'and of which state');
select ok((select f.cards ?& '{tool,prompt}' from api.find_cards('ticket', kinds => '{tool,prompt}') as f), 'of each kind');
select throws_ok($$select * from api.find_cards('ticket', kinds => '{none}')$$, 'QM404', null, 'no such kind');
select throws_ok($$select * from api.find_cards(' ')$$, 'QM422', null, 'no goal');
select throws_ok($$select t.read_as(null), api.find_cards('ticket')$$, 'QM403', null, 'nobody finds nothing');

select * from finish();
rollback;
