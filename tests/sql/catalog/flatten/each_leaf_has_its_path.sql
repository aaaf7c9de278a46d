begin;
select plan(3);

select set_eq(
    $$select f.path, f.value::text from catalog.flatten('{"a": {"b": [1, {"c": null}]}, "d": {}, "e": "x"}') as f$$,
    $$values ('a/b/0', '1'), ('a/b/1/c', 'null'), ('d', '{}'), ('e', '"x"')$$, 'leaves and empty containers'
);
select results_eq($$select f.path, f.value::text from catalog.flatten('5') as f$$, $$values ('', '5')$$, 'a scalar is its own leaf');
select is_empty($$select * from catalog.flatten(null)$$, 'nothing has none');

select * from finish();
rollback;
