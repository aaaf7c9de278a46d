begin;
select plan(2);

select t.make_catalog(), t.make_principal('alice');
select search.put_model('test-4', 4, true);
select t.embed_cards('tool', 'test-4');
select t.act_as('alice');
select results_eq(
    $$select f.name, f.scores ->> 'sources' from api.select_tools('nothing like it', query_vector => t.unit_vector(4, 3), top => 1, explain => true) as f where f.rank = 1$$,
    $$values ('tracker__create_ticket', '["dense"]')$$, 'the card of the third axis is the third tool'
);
select throws_ok($$select * from api.select_tools('x', query_vector => '[1, 0]')$$, 'QM422', null, 'another dimension is refused');

select * from finish();
rollback;
