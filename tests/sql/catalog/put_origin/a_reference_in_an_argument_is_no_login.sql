begin;
select plan(2);

select throws_ok(
    $$select catalog.put_origin('x', '', 'stdio', '{x,"--token=${secret:login/y}"}', null, null, '{}', '{}', null, '{}', '{}', false)$$,
    'QM422', null, 'the login to another server'
);
select lives_ok(
    $$select catalog.put_origin('x', '', 'stdio', '{x,"--token=${secret:x/token}"}', null, null, '{}', '{}', null, '{}', '{}', false)$$,
    'a secret of its own'
);

select * from finish();
rollback;
