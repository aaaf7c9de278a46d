begin;
select plan(7);

select t.make_project('shop', 'alice'), t.make_principal('mallory');
select t.act_as('alice');
select throws_ok($$select api.give_quality_feedback('a_tool', 0)$$, 'QM422', null, 'not less than one');
select throws_ok($$select api.give_quality_feedback('a_tool', null)$$, 'QM422', null, 'nor nothing');
select throws_ok($$select api.give_quality_feedback('rm -rf', 5)$$, 'QM422', null, 'a tool has a name');
select throws_ok($$select api.give_quality_feedback('a_tool', 5, repeat('x', 4001))$$, 'QM422', null, 'a comment is not too long');
create temporary table given as select api.give_quality_feedback('a_tool', 10, null) as id;
select t.act_as('mallory');
select throws_ok($$select api.give_quality_feedback('a_tool', 5, project => 'shop')$$, 'QM404', null, 'nobody else rates');
select t.act_as_superuser();
select results_eq($$select f.id, f.tool, f.rating, f.comment from quality.feedback as f$$, $$select id, 'a_tool', 10, '' from given$$, 'it is stored');
select is((select p.name from quality.feedback as f inner join policy.principal as p on p.id = f.principal_id), 'alice', 'with who gave it');

select * from finish();
rollback;
