begin;
select plan(2);

select t.make_catalog(), t.make_principal('alice');
select t.read_as('alice');
create temporary table found as
select f.*
from unnest(selection.find_candidates('tool', 'open a ticket', null, (select m from selection.mode as m where m.name = 'balanced'))) as f;
select is((select t.name_of(f.card_id) from found as f order by f.score desc limit 1), 'tracker__create_ticket', 'the candidates');
select t.act_as_superuser();
select is((select count(*) from selection.pool), 0::bigint, 'and keeps none');

select * from finish();
rollback;
