begin;
select plan(11);

select t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.allow('program', '["true"]')$$, '42501', null, 'an operator allows nothing');
select throws_ok($$select api.add_origin('x', 'stdio', command => '{true}')$$, 'QM403', null, 'nor chooses a program');
select t.act_as('boss', 'qm_admin');
select is(api.allow('program', '[ "true" ]'), '["true"]', 'the normal form is stored');
select is(api.allow('network', '10.1.2.3/8'), '10.0.0.0/8', 'also of a network');
select throws_ok($$select api.allow('network', 'localhost')$$, 'QM422', null, 'a name is no network');
select throws_ok($$select api.allow('environment', 'secret:x')$$, 'QM422', null, 'nor a secret an environment value');
select throws_ok($$select api.allow('everything', 'x')$$, 'QM422', null, 'there are four kinds');
select t.act_as('op', 'qm_operator');
select lives_ok($$select api.add_origin('x', 'stdio', command => '{true}')$$, 'a listed program may be used');
select throws_ok($$select api.add_origin('y', 'stdio', command => '{true,more}')$$, 'QM403', null, 'but not with other arguments');
select throws_ok(
    $$select api.add_origin('z', 'http', url => 'https://z.example/?k=${secret:x/key}')$$, 'QM403', null, 'nor with the secret of another in its URL'
);
select lives_ok($$select api.add_origin('z', 'http', url => 'https://z.example/?k=${secret:z/key}')$$, 'but with its own');

select * from finish();
rollback;
