begin;
select plan(3);

select t.make_principal('alice'), t.act_as('alice');
select throws_ok($$select * from api.search_cards('no_kind', 'x')$$, 'QM404', null, 'unknown');
select throws_ok($$select * from api.search_cards(null, 'x')$$, 'QM404', null, 'none');
select is_empty($$select * from api.search_cards('tool', 'x')$$, 'one without cards finds nothing');

select * from finish();
rollback;
