begin;
select plan(14);

select t.make_lookups(), t.make_principal('alice');
select t.act_as(null, 'qm_user');
select throws_ok($$select * from api.search_lookup('plant', 'Betula')$$, 'QM403', null, 'not for nobody');
select t.act_as('alice');
select results_eq($$select s.id, s.match from api.search_lookup('plant', 'Betula pendula Roth', k_final => 1) as s$$, $$values ('1', true)$$, 'with its author');
select is((select s.id from api.search_lookup('plant', 'Betuls pendul') as s where s.rank = 1), '1', 'mistyped');
select results_eq($$select s.id, s.name from api.search_lookup('plant', 'vartbjork', k_final => 1) as s$$, $$values ('1', 'vårtbjörk')$$, 'by an alias, which is told');
select is((select s.id from api.search_lookup('plant', 'MS', threshold => 0) as s where s.rank = 1), '5', 'by initials');
select is((select s.id from api.search_lookup('plant', 'B. pendula', properties => '{"family": "POACEAE"}') as s where s.rank = 1), '3', 'a property is evidence');
select is_empty($$select * from api.search_lookup('plant', 'Betula nana', properties => '{"family": "Poaceae"}', strict => true, threshold => 0) as s where s.id = '2'$$, 'or a filter');
select results_eq($$select s.id, s.match from api.search_lookup('plant', '2', threshold => 0) as s where s.id = '2'$$, $$values ('2', false)$$, 'a bare number may be an id, but is no match');
select is_empty($$select * from api.search_lookup('plant', 'Xyzzy quux')$$, 'what is improbable is not returned');
select is_empty($$select * from api.search_lookup('plant', 'Betula alba', threshold => 0) as s where s.id = '4'$$, 'nor is what is retired');
select is((select s.id from api.search_lookup('plant', 'Betula alba', active_only => false) as s where s.rank = 1), '4', 'unless it is asked for');
select results_eq($$select s.id from api.search_lookup('plant', 'Salix', domain => 'shrubs', threshold => 0) as s$$, array['6'], 'of a domain');
select is((select count(*) from api.search_lookup('plant', 'Betula', threshold => 0) as s where s.match) <= 1, true, 'at most one match');
select ok((select s.scores -> 'features' -> 'exact' ->> 'value' = '1.0000' from api.search_lookup('plant', 'Betula nana', explain => true) as s where s.rank = 1), 'the score is explained');

select * from finish();
rollback;
