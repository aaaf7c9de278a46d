begin;
select plan(11);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select search.put_model('m', 2, true), t.embed_cards('tool', 'm');
create temporary table untouched as select * from search.lexical;
select policies_are('search', 'lexical', array['owner_all']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select throws_ok($$select * from search.lexical$$, '42501', null, 'may not read it at all');
select throws_ok($$update search.lexical set length = length$$, '42501', null, 'may not change');
select throws_ok($$insert into search.lexical (card_id, kind, ref, document, length) values (1, 'tool', 1, '', 1)$$, '42501', null, 'may not add');
select throws_ok($$delete from search.lexical$$, '42501', null, 'may not delete');
select throws_ok($$truncate search.lexical$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select throws_ok($$select * from search.lexical$$, '42501', null, 'nor without a principal');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) - 'weights' from search.lexical as x$$, $$select to_jsonb(u) - 'weights' from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'search.lexical'::regclass;

select * from finish();
rollback;
