begin;
select plan(14);

select t.make_principal('op', 'operator');
select t.make_project('shop', 'alice');
select t.act_as('alice', 'qm_user');
-- The same words, stored before the expert's own.
select api.put_notes(
    jsonb_build_array(t.note('databases/vacuum', 'Vacuum frees dead row versions for reuse.') || '{"source": "The handbook of your company"}')
);
select t.act_as('op', 'qm_operator');
select api.load_notes(jsonb_build_array(t.note('databases/vacuum', 'Vacuum frees dead row versions for reuse.') || '{"verified": false}'), 'a digest');
select t.act_as('alice', 'qm_user');
create temporary table told on commit drop as
select e.value as passage, e.place
from api.ask_expert('how does vacuum free dead row versions') as a, jsonb_array_elements(a.passages) with ordinality as e (value, place);

select is((select count(*) from told), 2::bigint, 'both are found');
select is((select passage ->> 'project' from told where place = 1), null, 'at equal strength, the experts'' own note comes first');
select is((select passage -> 'verified_by' from told where place = 1), 'null', 'nobody says that it was verified');
select is((select passage ->> 'owner' from told where place = 2), 'alice', 'that of a project names the owner');
select is((select passage ->> 'project' from told where place = 2), 'shop', 'and the project');
select is((select passage -> 'verified' from told where place = 2), 'false', 'whose word verifies nothing');
select is((select passage ->> 'verified_by' from told where place = 2), 'alice/shop', 'but is told as such');
select ok((select passage ->> 'text' ^@ 'According to the project alice/shop: Databases/Vacuum. ' from told where place = 2), 'so are its title and text');
select is((select a.parts ->> 'verified' from api.ask_expert('how does vacuum free dead row versions') as a), '0.00', 'and it counts as unverified');
select is(
    (select count(*) from api.search_cards('how does vacuum free dead row versions', array['passage']) as s where s.brief ^@ 'According to the project alice/shop: '),
    1::bigint, 'a search says it as well'
);
select is(api.describe_card('passage', 'databases/vacuum#1') ->> 'project', null, 'whose note does not take the name of one of the experts');
select api.put_notes(jsonb_build_array(t.note('rules', 'Cumin goes first.')));
select is(api.describe_card('passage', 'rules#1') ->> 'verified_by', 'alice/shop', 'a description tells who vouches');
select ok(api.describe_card('question', 'rules#1') ->> 'text' ^@ 'According to the project alice/shop: ', 'also that of a question');
select results_eq(
    $$select n.name, n.project, n.owner from api.list_notes() as n$$,
    $$values ('databases/vacuum', 'shop', 'alice'), ('rules', 'shop', 'alice'), ('databases/vacuum', null, null)$$, 'and the list'
);

select * from finish();
rollback;
