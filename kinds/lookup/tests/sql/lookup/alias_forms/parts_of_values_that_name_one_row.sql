begin;
select plan(2);

select lookup.put_rows(lookup.put_table('animal', '', ''), '[
    {"id": "1", "value": "Alces alces (moose)"}, {"id": "2", "value": "Linnaeus, Carl"}, {"id": "3", "value": "Sjaelland / Zealand"},
    {"id": "4", "value": "Lepus (hare)"}, {"id": "5", "value": "Sylvilagus (hare)"}, {"id": "6", "value": "Cervus (deer)", "active": false},
    {"id": "7", "value": "Magnetic susceptibility"}
]', true);
create temporary table derived as select r.key, f.form, f.alias from lookup.alias_forms(t.lookup_id('animal')) as f inner join lookup.lookup_row as r on r.id = f.row_id;
select set_has(
    $$select * from derived$$,
    $$values ('1', 'in brackets', 'moose'), ('1', 'without brackets', 'Alces alces'), ('2', 'turned round', 'Carl Linnaeus'), ('3', 'part', 'Zealand'), ('7', 'initials', 'MS')$$,
    'there are these'
);
select is_empty($$select from derived as d where d.alias in ('hare', 'deer')$$, 'none that names two rows, or a row that is retired');

select * from finish();
rollback;
