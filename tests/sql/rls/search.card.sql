begin;
select plan(12);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
create temporary table untouched as select * from search.card;
select policies_are('search', 'card', array['owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select c.name from search.card as c order by c.name limit 1$$, array['time__convert_time'], 'sees exactly what it may');
select throws_ok($$update search.card set brief = brief$$, '42501', null, 'may not change');
select throws_ok($$insert into search.card (kind, ref, name, label, embedding_text, text_hash) values ('tool', 9, 'x', 'x', 'x', '')$$, '42501', null, 'may not add');
select throws_ok($$delete from search.card$$, '42501', null, 'may not delete');
select throws_ok($$truncate search.card$$, '42501', null, 'may not empty');
select throws_ok($$select search.put_cards('tool', '[]')$$, '42501', null, 'nor call what writes it');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select c.name from search.card as c order by c.name limit 1$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from search.card as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'search.card'::regclass;

select * from finish();
rollback;
