begin;
select plan(4);

select t.make_principal('alice'), t.make_principal('op', 'operator');
select t.make_rules('{"default": "deny"}');
select t.act_as('alice');
select throws_ok($$select api.show_rules()$$, '42501', null, 'not to users');
select t.act_as('op', 'qm_operator');
select is(api.show_rules() ->> 'default', 'deny', 'the active one');
select is(api.show_rules((select min(r.version) from api.list_rules() as r)) ->> 'default', 'allow', 'an old one');
select throws_ok($$select api.show_rules(999)$$, 'QM404', null, 'none');

select * from finish();
rollback;
