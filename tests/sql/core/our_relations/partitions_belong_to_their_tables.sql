begin;
select plan(3);

select is((select r.relkind from core.our_relations() as r where r.name = 'core.setting'), 'r', 'a table');
select is_empty($$select r.name from core.our_relations() as r inner join pg_class as c on c.oid = r.oid where c.relispartition$$, 'no partition');
select is_empty(
    $$select r.name from core.our_relations() as r inner join pg_depend as d on d.objid = r.oid and d.deptype = 'i' where r.relkind = 'S'$$,
    'nor a sequence of an identity column'
);

select * from finish();
rollback;
