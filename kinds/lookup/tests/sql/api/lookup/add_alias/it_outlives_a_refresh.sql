begin;
select plan(4);

select t.make_principal('op', 'operator');
create table public.plant (id integer primary key, name text);
grant select, trigger on public.plant to qm_owner;
insert into public.plant values (1, 'Betula pendula'), (2, 'Betula nana'), (3, 'Poa annua');
select t.act_as('op', 'qm_operator');
select api.create_lookup_over('plant', 'plant', 'id', 'name', follow => true);
select api.add_alias('plant', '1', 'silver birch'), api.retire_row('plant', '3');
select results_eq($$select * from api.refresh_lookup('plant')$$, $$values (0, 0, 3, 0)$$, 'what curators have said changes no row of the source');
select t.act_as_superuser();
update public.plant set name = name || ' L.';
select t.act_as('op', 'qm_operator');
select results_eq($$select * from api.refresh_lookup('plant', changed_only => true)$$, $$values (0, 3, 0, 0)$$, 'rows that have changed are read again');
select results_eq(
    $$select r.id, r.value, r.aliases, r.active from api.lookup_rows('plant', active_only => false) as r$$,
    $$values ('1', 'Betula pendula L.', '{silver birch}'::text[], true), ('2', 'Betula nana L.', '{}'::text[], true), ('3', 'Poa annua L.', '{}'::text[], false)$$,
    'and what curators have said holds over it'
);
select t.act_as_superuser();
select is((select p.name from public.plant as p where p.id = 1), 'Betula pendula L.', 'the user''s own table is left alone');

select * from finish();
rollback;
