begin;
select plan(3);

select t.make_principal('alice'), t.act_as('alice');
select throws_ok($$select * from api.search_cards('x', '{no_kind}')$$, 'QM404', null, 'unknown');
select throws_ok($$select * from api.search_cards('x', null)$$, 'QM404', null, 'none');
select is_empty($$select * from api.search_cards('x', '{tool}')$$, 'one without cards finds nothing');

select * from finish();
rollback;
