begin;
select plan(2);
select t.make_principal('boss', 'admin');
select t.act_as('boss', 'qm_admin');
select is(
    api.store_distribution('acme', '1.0', sha256('a'), '{acme}', '', '{}', '[]'), api.store_distribution('Acme', '1.0', sha256('a'), '{acme}', '', '{}', '[]'),
    'the same files are the same distribution'
);
select isnt(
    api.store_distribution('acme', '1.0', sha256('a'), '{acme}', '', '{}', '[]'), api.store_distribution('acme', '1.0', sha256('b'), '{acme}', '', '{}', '[]'),
    'other files are another one'
);
select * from finish();
rollback;
