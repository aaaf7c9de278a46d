begin;
select plan(4);

select t.make_lookups();
create function pg_temp.named() returns text[] language sql as $$
    select array_agg(c.name order by c.name)
    from lookup.lookup_name as n
    inner join search.card as c on c.kind = 'lookup' and c.ref = n.id
    inner join lookup.lookup_row as r on r.id = n.row_id and r.key in ('1', '2')
    where n.table_id = t.lookup_id('plant')
$$;
update lookup.lookup_row as r set value = 'Betula humilis', aliases = '{?!}' where r.key = '2' and r.table_id = t.lookup_id('plant');
select lookup.index_names(t.lookup_id('plant'), array(select r.id from lookup.lookup_row as r where r.value = 'Betula humilis'), '{}');
select is(pg_temp.named(), '{?!,Betula humilis,Betula pendula,vårtbjörk}', 'a row that was written has its new names');
select results_eq(
    $$select n.short, n.stem, n.second, n.initials from lookup.lookup_name as n inner join lookup.lookup_row as r on r.id = n.row_id where r.value = 'Betula humilis' and not n.is_alias$$,
    $$values ('b humilis', 'betul humil', 'humil', 'bh')$$, 'with the forms by which they are found'
);
select is((select l.names from lookup.lookup_table as l where l.name = 'plant'), 8, 'they are counted');
select lookup.index_names(t.lookup_id('plant'), '{}', array(select r.id from lookup.lookup_row as r where r.value = 'Betula humilis'));
select is(pg_temp.named(), '{Betula pendula,vårtbjörk}', 'a row that goes has none');

select * from finish();
rollback;
