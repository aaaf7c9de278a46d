begin;
select plan(2);

create table public."My herbs" ("No." integer, name text);
insert into public."My herbs" values (1, 'Betula'), (2, null), (3, 'Poa'), (null, 'Salix');
select bag_eq(
    $$select c.key, c.value from lookup.read_column('public."My herbs"', 'No.', 'name', null) as c$$, $$values ('1', '"Betula"'::jsonb), ('3', '"Poa"')$$,
    'rows with a key and a value'
);
select results_eq($$select c.key from lookup.read_column('public."My herbs"', 'No.', 'name', '{2,3}') as c$$, '{3}'::text[], 'or those of the given keys');

select * from finish();
rollback;
