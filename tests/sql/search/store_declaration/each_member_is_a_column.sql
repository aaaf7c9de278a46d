begin;
select plan(4);

select search.store_declaration('{"name": "odd", "description": "Odd ones", "fields": ["a", "b", "c", "d"], "field_weights": [1, 0.1, 1, 1]}', 'mine');
select is(
    (select (k.description, k.fields, k.field_weights, k.folder)::text from search.kind as k where k.name = 'odd'),
    '("Odd ones","{a,b,c,d}","{1,0.1,1,1}",mine)', 'a new kind gets what is declared'
);
select is((select k.outcomes from search.kind as k where k.name = 'odd'), 'none', 'and defaults for the rest');
select search.store_declaration('{"name": "odd", "description": "Other ones"}', 'other');
select is(
    (select (k.description, k.fields, k.folder)::text from search.kind as k where k.name = 'odd'), '("Other ones","{a,b,c,d}",mine)',
    'a kind that is there keeps what is not declared, and its folder'
);
select throws_ok($$select search.store_declaration('{"name": "odd", "description": "Odd", "no_such": 1}', '')$$, '42703', null, 'a member that is no column is refused');

select * from finish();
rollback;
