begin;
select plan(5);

select t.make_principal('op', 'operator');
select t.read_as('op', 'qm_operator');
select is(api.put_model('m', 4), api.put_model('m', 4, directory => '/models/m'), 'the id stays');
select is((select m.name from search.model as m where m.active), 'm', 'it is active');
select is(core.get_setting('embedding.directory'), '"/models/m"'::jsonb, 'where it lies');
select throws_ok($$select api.put_model('m', 5)$$, 'QM409', null, 'with another dimension it is another model');
select throws_ok($$select api.put_model('n', 0)$$, '23514', null, 'a dimension there cannot be');

select * from finish();
rollback;
