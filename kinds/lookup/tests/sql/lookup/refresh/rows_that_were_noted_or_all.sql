begin;
select plan(5);

select t.make_source('herb', true);
create function pg_temp.refreshed(p_all boolean) returns text language sql as $$
    select concat_ws(' ', r.added, r.changed, r.unchanged, r.removed) from lookup.refresh(t.lookup_id('herb'), p_all) as r
$$;
update lookup.source set failure = 'it failed';
select is(pg_temp.refreshed(true), '2 0 0 0', 'all rows with a value');
select ok((select s.failure is null and s.refreshed_at = core.now() from lookup.source as s), 'which worked');
update public.herb set name = 'Betula nana' where id = '1';
delete from public.herb where id = '2';
insert into lookup.source_change (table_id, key) values (t.lookup_id('herb'), '1'), (t.lookup_id('herb'), '1');
select is(pg_temp.refreshed(false), '0 1 1 0', 'those that were noted');
select is((select count(*) from lookup.source_change), 0::bigint, 'once');
insert into lookup.source_change (table_id, key) values (t.lookup_id('herb'), null);
select is(pg_temp.refreshed(false), '0 0 1 1', 'all, if it is not known which');

select * from finish();
rollback;
