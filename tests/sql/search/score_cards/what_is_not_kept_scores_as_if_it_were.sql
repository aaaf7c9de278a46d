begin;
select plan(5);

select t.make_catalog(), t.make_principal('alice');
create function pg_temp.past(p_goal text) returns table (ref bigint, lexical real, dense real, fuzzy real, sources text []) language sql as $$
    select * from search.score_cards('tool', p_goal, null, catalog.cards('tool', array(select x.id from catalog.item as x)));
$$;
create temporary table live (ref bigint, score real);
create temporary table beside as select p.ref, p.lexical from pg_temp.past('current time in a timezone') as p where p.lexical > 0;
select is(count(*), 2::bigint, 'two tools have words of the goal') from beside;
grant all on beside, live to public;
select t.read_as('alice');
insert into live select c.ref, b.score from search.bm25('tool', 'current time in a timezone', 10) as b inner join search.card as c on c.id = b.card_id;
select t.act_as_superuser();
select is_empty(
    $$select * from live as l full join beside as b on b.ref = l.ref where l.score is null or abs(b.lexical / l.score - 1) > 0.001$$,
    'BM25 is what the index says'
);
select is(
    (select p.sources from pg_temp.past('convert_time') as p inner join catalog.item as x on x.id = p.ref where x.name = 'convert_time'),
    array['fuzzy', 'lexical'], 'a name is found by its trigrams, too'
);
select is_empty($$select * from pg_temp.past('zebra') as p where p.sources <> '{}'$$, 'what has nothing of the goal is found by nothing');
select ok(
    (
        select p.lexical > 0
        from search.score_cards(
            'tool', 'zebra', null, '[{"ref": 1, "name": "stripes", "embedding_text": "x", "fields": ["stripes", "", "Shows a zebra.", ""]}]'
        ) as p
    ), 'a word that no card has is no hindrance'
);

select * from finish();
rollback;
