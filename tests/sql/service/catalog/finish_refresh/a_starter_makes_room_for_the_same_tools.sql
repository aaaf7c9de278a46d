begin;
select plan(15);

select t.make_principal('boss', 'admin');
select t.act_as('boss', 'qm_admin');
create temporary table listing (name, tools) as values
    ('two', '[{"name": "now", "description": "Tells the time in any zone."}, {"name": "convert", "description": "Converts a time between two zones."}]'),
    ('one', '[{"name": "now", "description": "Tells the time in any zone."}]'),
    ('poison', '[{"name": "now", "description": "Tells the time in any zone."}, {"name": "convert", "description": "Converts a time between two zones!"}]'),
    ('more', '[{"name": "now", "description": "Tells the time in any zone, and the weather."}, {"name": "week", "description": "Tells the week."}]');
grant select on listing to public;
create function pg_temp.reads(p_origin text, p_listing text) returns integer language plpgsql as $$
declare
    v_refresh bigint;
begin
    perform api.request_refresh(p_origin);
    select c.refresh_id into v_refresh from service.claim_refresh(gen_random_uuid()) as c;
    perform service.store_items(v_refresh, 'tool', (select l.tools::jsonb from listing as l where l.name = p_listing));
    perform service.finish_refresh(v_refresh, kinds => '{tool}');
    return (select g.withheld from api.get_refresh(v_refresh) as g);
end
$$;
select api.add_origin('time', 'stdio', command => '{/u/time/bin/mcp-server-time}', is_starter => true);
select is(pg_temp.reads('time', 'two'), 0, 'the starter is read');
select api.add_origin('evil', 'http', url => 'https://evil.example/mcp');
select is(pg_temp.reads('evil', 'poison'), 2, 'nearly the same tools are withheld');
select is((select o.status from api.list_origins() as o where o.name = 'time'), 'ready', 'and replace nothing');
select api.add_origin('late', 'http', url => 'https://late.example/mcp');
select is(pg_temp.reads('late', 'one'), 1, 'nor does a part of them');
select is(pg_temp.reads('late', 'two'), 1, 'or what comes later');
select api.add_origin('copied', 'http', url => 'https://copied.example/mcp');
select is(pg_temp.reads('copied', 'two'), 2, 'a server elsewhere that lists exactly the same tools imitates them');
select is((select o.status from api.list_origins() as o where o.name = 'time'), 'ready', 'and replaces nothing');
select is((select api.get_origin('copied') -> 'replaces'), '[]', 'nor is it said to');
select api.add_origin('clock', 'stdio', command => '{/u/clock/bin/serve}');
select is(pg_temp.reads('clock', 'two'), 0, 'the same tools of a program that an administrator chose are not withheld');
select is((select api.get_origin('clock') -> 'replaces'), '["time"]', 'but replace the starter');
select set_eq($$select i.public_name from catalog.item as i inner join catalog.origin as o on o.id = i.origin_id where o.name in ('time', 'clock') and i.is_live and i.kind = 'tool'$$, array['clock__now', 'clock__convert'], 'and can be used');
select api.add_origin('time', 'stdio', command => '{/u/time/bin/mcp-server-time}', is_starter => true, replace => true);
select is(pg_temp.reads('time', 'two'), 0, 'a starter that comes back imitates nobody');
select is(pg_temp.reads('clock', 'two'), 0, 'and stays when the other is read again');
select api.add_origin('time', 'http', url => 'https://other.example/mcp');
select is(pg_temp.reads('time', 'more'), 0, 'another server under its name has changed nothing');
select is(pg_temp.reads('time', 'two'), 1, 'unless it changes later');

select * from finish();
rollback;
