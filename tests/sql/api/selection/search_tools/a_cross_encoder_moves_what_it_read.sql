begin;
select plan(7);

select t.make_catalog(), t.make_principal('alice');
select t.read_as('alice');
create temporary table candidate as select c.*, t.name_of(c.card_id) as name, row_number() over () as position from api.rerank_candidates('open a ticket for a time') as c;
create function pg_temp.reranked(p_scores jsonb) returns table (rank integer, name text, scores jsonb) language sql as $$
    select f.rank, f.name, f.scores
    from api.search_tools('open a ticket for a time', rerank => jsonb_build_object('model', 'judge', 'scores', p_scores)) as f
    order by f.rank;
$$;
select is(
    (select f.name from pg_temp.reranked((select jsonb_object_agg(c.card_id, c.position) from candidate as c)) as f limit 1),
    (select c.name from candidate as c order by c.position desc limit 1), 'what it thinks best comes first'
);
select is((select f.scores -> 'rerank' from pg_temp.reranked((select jsonb_object_agg(c.card_id, c.position) from candidate as c)) as f limit 1), '4.0000', 'with what it said');
select is((select r.stages ->> 'reranker' from selection.receipt as r order by r.id desc limit 1), 'judge', 'and who said it in the receipt');
select results_eq(
    $$select f.name from pg_temp.reranked('{"999999": 5, "x": 3, "-1": 2, "99999999999999999999": 1}') as f$$, $$select f.name from api.search_tools('open a ticket for a time') as f order by f.rank$$,
    'cards that are not there are ignored'
);
select throws_ok($$select * from api.search_tools('x', rerank => '{"scores": {"1": "high"}}')$$, 'QM422', null, 'a wrong form');
select throws_ok($$select * from api.search_cards('x', '{tool}', rerank => '[]')$$, 'QM422', null, 'for any kind');
select is_empty($$select * from selection.receipt as r where r.goal = 'x'$$, 'and leaves no receipt');

select * from finish();
rollback;
