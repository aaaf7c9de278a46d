begin;
select plan(7);

select t.make_principal('op', 'operator'), t.make_catalog();
select search.put_model('old', 2, false), search.put_model('new', 3, true);
select t.embed_cards('tool', 'old'), t.embed_cards('tool', 'new');
create temporary table had as
select m.id, (select count(*) from search.embedding as e where e.model_id = m.id) as vectors from search.model as m where m.name = 'old';
select t.read_as('op', 'qm_operator');
select throws_ok($$select * from api.drop_model('new')$$, 'QM409', null, 'the active one stays');
select throws_ok($$select * from api.drop_model('none')$$, 'QM404', null, 'there is no such model');
create temporary table said as select * from api.drop_model('old', dry_run => true);
select is((select count(*) from search.model as m where m.name = 'old'), 1::bigint, 'a preview changes nothing');
select results_eq($$select d.* from api.drop_model('old') as d$$, $$select s.* from said as s$$, 'and says what goes');
select t.act_as_superuser();
select is((select s.vectors from said as s), (select h.vectors from had as h), 'all its vectors');
select is_empty($$select from search.embedding as e inner join had as h on h.id = e.model_id$$, 'are gone');
select is(to_regclass('search.embedding_tool_' || h.id || '_idx'), null, 'and its index') from had as h;

select * from finish();
rollback;
