begin;
select plan(4);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('admin', 'admin');
select t.act_as('alice');
select count(*) from api.select_tools('ticket');
select t.act_as_superuser();
create temporary table asked as select array_agg(r.id) as receipts from selection.receipt as r;
grant select on asked to public;
select t.act_as('alice');
select results_eq(
    $$select array(select k from jsonb_object_keys(l.stages) as k order by k) from asked as a cross join lateral api.list_stages(a.receipts) as l$$,
    $$values ('{cached,choose_ms,pool_ms,report_ms,value_ms}'::text[])$$, 'each stage'
);
select is_empty($$select * from api.list_stages('{}')$$, 'of those asked for');
select t.act_as('bob');
select is_empty($$select l.* from asked as a cross join lateral api.list_stages(a.receipts) as l$$, 'no one else''s');
select t.act_as('admin', 'qm_admin');
select is((select count(*) from asked as a cross join lateral api.list_stages(a.receipts) as l), 1::bigint, 'administrators see all');

select * from finish();
rollback;
