begin;
select plan(3);

select t.make_catalog(), t.make_principal('op', 'operator');
update catalog.item set definition = definition || '{"input_schema": {"type": "object", "properties": {"text": {}}}}' where public_name = 'time__convert_time';
select t.act_as('op', 'qm_operator');
select throws_ok(
    $$select api.set_terms('time__convert_time', '{"masked": ["texd"]}')$$, 'QM422',
    'the tool has no argument ''texd''. Its arguments are: text', 'hiding it would hide nothing'
);
select throws_ok($$select api.set_terms('time__convert_time', '{"key_argument": "texd"}')$$, 'QM422', null, 'nor is it a key');
select is(api.set_terms('time__convert_time', '{"masked": ["text"]}'), '{"masked": ["text"]}', 'an argument of the tool is hidden');

select * from finish();
rollback;
