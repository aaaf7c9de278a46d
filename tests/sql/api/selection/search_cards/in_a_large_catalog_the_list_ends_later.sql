begin;
select plan(5);

select t.make_catalog(), t.make_principal('alice');
delete from search.coefficient;
select search.put_model('test-4', 4, true);
select t.embed_cards('tool', 'test-4');
insert into search.coefficient (kind, profile, part, feature, weight)
values
('tool', 'test-4', 'score', 'dense', 4), ('tool', 'test-4', 'large', 'dense', 4),
('tool', 'test-4', 'confidence', 'rank', -6), ('tool', 'test-4', 'confidence', 'intercept', -3);
-- The second card has a share of about 1/64 of the best probability, the third of about 1/729.
create function pg_temp.shown(p_cards integer, p_words integer default 7) returns bigint language plpgsql as $$
begin
    perform t.act_as_superuser();
    update search.kind set cards = p_cards where name = 'tool';
    perform t.read_as('alice');
    return (
        select count(*) from api.search_cards('what time is it in Tokyo' || repeat(' now', p_words - 6), query_vector => t.unit_vector(4, 2))
    );
end
$$;
select is(pg_temp.shown(200), 1::bigint, 'among 200 cards, a card with 1/64 of the best probability is not shown');
select is(pg_temp.shown(4000), 2::bigint, 'among 4,000 cards it is, but none with 1/729');
select is(pg_temp.shown(200, 28), 1::bigint, 'a goal of 28 words is short');
select is(pg_temp.shown(200, 40), 2::bigint, 'for a long goal, the list ends as in a large catalog');

select t.act_as_superuser();
delete from search.coefficient as c where c.part = 'large';
select is(pg_temp.shown(4000), 1::bigint, 'without weights for large catalogs, it ends as in a small one');

select * from finish();
rollback;
