begin;
select plan(5);

select t.make_principal('alice'), t.act_as('alice');
select throws_ok($$select * from api.search_cards('x', '{no_kind}')$$, 'QM404', null, 'unknown');
select throws_ok($$select * from api.search_cards('x', '{}')$$, 'QM404', null, 'none');
select throws_ok($$select * from api.search_cards('x', '{tool,null}')$$, 'QM404', null, 'one without a name');
select is_empty($$select * from api.search_cards('x', '{tool}')$$, 'one without cards finds nothing');
select is_empty($$select * from api.search_cards('x', null)$$, 'nor does the default kind');

select * from finish();
rollback;
