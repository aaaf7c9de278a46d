begin;
select plan(9);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.read_as(null);
select throws_ok($$select * from api.rerank_candidates('open a ticket')$$, 'QM403', null, 'nobody gets nothing');
select t.read_as('op', 'qm_operator');
select api.configure_modes('{"fast": {"rerank": 0}, "balanced": {"rerank": 2}}');
select t.read_as('alice');
select throws_ok($$select * from api.rerank_candidates(' ')$$, 'QM422', null, 'an empty goal');
select throws_ok($$select * from api.rerank_candidates('x', 'warp')$$, 'QM422', null, 'an unknown mode');
select throws_ok($$select * from api.rerank_candidates('x', kinds => '{no_kind}')$$, 'QM404', null, 'an unknown kind');
create temporary table candidate as select c.* from api.rerank_candidates('open a ticket for a time') as c;
select results_eq(
    $$select t.name_of(c.card_id), c.text, c.score from candidate as c$$,
    $$select t.name_of(s.card_id), k.embedding_text, s.score from selection.mode as m cross join lateral search.search('tool', 'open a ticket for a time', null, m.lexical, m.dense, m.fuzzy, m.ef_search, array[m.weight_lexical, m.weight_dense, m.weight_fuzzy], m.scoring) as s inner join search.card as k on k.id = s.card_id where m.name = 'balanced' order by s.score desc, s.card_id limit 2$$,
    'as many as the mode says, best first, with their text'
);
select is_empty($$select * from api.rerank_candidates('open a ticket', 'fast')$$, 'a mode without a cross-encoder reads none');
select is((select count(*) from selection.receipt as r), 0::bigint, 'no receipt');
select count(*) from api.search_tools('open a ticket for a time');
select is((select r.stages -> 'cached' from selection.receipt as r), 'true', 'the search that follows finds the pool remembered');
select is_empty($$select * from api.rerank_candidates('zyzzyva')$$, 'nothing found is no error');

select * from finish();
rollback;
