begin;
select plan(2);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select api.decide_item('{tool}', 'time__convert_time', 'quarantined');
select t.act_as('alice');
select throws_like(
    $$select api.describe_card('tool', 'time__convert_time')$$, '% ''time__convert_time'' is in quarantine, and cannot be used', 'in quarantine'
);
select throws_ok($$select api.describe_card('tool', 'time__nothing')$$, 'QM404', null, 'a name that does not exist');

select * from finish();
rollback;
