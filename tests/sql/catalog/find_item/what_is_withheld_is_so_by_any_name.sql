begin;
select plan(9);

select t.make_assets(), t.make_principal('alice');
select t.act_as('alice', 'qm_user');
select t.act_as_superuser();
create function pg_temp.status_of(p_name text, p_origin text default null) returns text language sql as $$
    select f.status from catalog.find_item('resource', p_name, p_origin) as f;
$$;
select is(pg_temp.status_of('memo://plan'), 'approved', 'listed');
select is(pg_temp.status_of('quartermaster://first/memo://unlisted'), 'approved', 'not listed, by its prefix');
select is(pg_temp.status_of('memo://nobody'), null, 'nobody''s');
update catalog.item set status = 'quarantined' where name = 'memo://secret/key';
select is(pg_temp.status_of('memo://secret/key'), 'quarantined', 'by its URI');
select is(pg_temp.status_of('quartermaster://first/memo://secret/key'), 'quarantined', 'by its prefix');
select is(pg_temp.status_of('memo://secret/key', 'first'), 'quarantined', 'at the door of its origin');
update catalog.item set status = 'pending' where kind = 'resource_template';
select is(pg_temp.status_of('quartermaster://first/memo://page/7'), 'pending', 'with a template what it stands for');
select is(pg_temp.status_of('memo://page/7', 'first'), 'pending', 'at the door of its origin, too');
select t.put_items('resource', 'first', '[{"uri": "memo://page/7", "name": "page"}]');
select is(pg_temp.status_of('memo://page/7'), 'approved', 'but for what is listed itself');

select * from finish();
rollback;
