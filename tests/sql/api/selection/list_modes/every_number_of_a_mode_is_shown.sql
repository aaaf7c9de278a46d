begin;
select plan(2);

select t.make_principal('alice');
select t.act_as('alice');
select results_eq($$select m.name from api.list_modes() as m$$, array['fast', 'balanced', 'thorough'], 'the least thorough first');
select is((select m.settings ->> 'lexical' from api.list_modes() as m where m.name = 'fast'), '24', 'with its numbers');

select * from finish();
rollback;
