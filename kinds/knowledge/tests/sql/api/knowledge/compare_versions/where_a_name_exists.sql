begin;
select plan(4);
select t.make_principal('boss', 'admin');
select t.make_project('shop', 'alice');
select t.make_library('shop', 'acme');
select t.act_as('alice', 'qm_user');
select results_eq($$select c.version, c.has_it from api.compare_versions('acme', 'send') as c$$, $$values ('1.0', true)$$, 'what is there');
select results_eq($$select c.version, c.has_it from api.compare_versions('acme', 'sendd') as c$$, $$values ('1.0', false)$$, 'what is not');
select results_eq(
    $$select c.has_it, c.path from api.compare_versions('acme', 'core.send') as c$$, $$values (true, 'acme.send')$$,
    'the end of a further path will do, as in a look-up'
);
select results_eq($$select c.has_it from api.compare_versions('acme', 'Send') as c$$, $$values (false)$$, 'other capitals are another name');
select * from finish();
rollback;
