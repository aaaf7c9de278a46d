begin;
select plan(3);

select t.make_lookups(), t.make_principal('alice');
select t.act_as('alice');
select results_eq(
    $$select r.value, r.aliases, r.active, r.properties from api.get_by_id('plant', '1') as r$$,
    $$values ('Betula pendula', '{vårtbjörk}'::text [], true, '{"family": "Betulaceae", "author": "Roth"}'::jsonb)$$, 'with all it has'
);
select throws_ok($$select * from api.get_by_id('plant', '99')$$, 'QM404', null, 'an unknown id');
select throws_ok($$select * from api.get_by_id('nowhere', '1')$$, 'QM404', null, 'an unknown table');

select * from finish();
rollback;
