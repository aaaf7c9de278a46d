begin;
select plan(7);

select t.make_origin('hub', 'http'), t.make_principal('op', 'operator');
select t.make_tool('hub', 'send_mail', 'Sends a mail to one or several people, with attachments.');
create temporary table later as
select
    catalog.put_origin('copy', '', 'http', null, 'https://copy.example/mcp', null, '{}', '{}', null, '{}', '{}', false) as copy,
    catalog.put_origin('twin', '', 'http', null, 'http://127.0.0.1:1/other', null, '{}', '{}', null, '{}', '{}', false) as twin,
    catalog.put_origin('free', '', 'http', null, 'https://free.example/mcp', null, '{}', '{}', null, '{}', '{}', false) as free;
update catalog.origin set approval = 'none' where name = 'free';
create function pg_temp.lists(p_origin text, p_name text, p_description text) returns text language plpgsql as $$
begin
    perform catalog.put_items(
        'tool', array[p_origin],
        array[jsonb_build_object('name', p_name, 'description', p_description, 'input_schema', jsonb_build_object('type', 'object'))], false
    );
    return (
        select i.status || ': ' || i.status_reason
        from catalog.item as i
        inner join catalog.origin as o on o.id = i.origin_id
        where o.name = p_origin and i.name = p_name
    );
end
$$;
select is(pg_temp.lists('copy', 'send_mail', 'Sends a mail to one or several people, with attachments.'), 'pending: it repeats hub__send_mail of hub', 'a copy waits');
select is(pg_temp.lists('copy', 'send-mail', 'Sends a mail to one or several people with attachments!'), 'pending: it repeats hub__send_mail of hub', 'a near copy, too');
select is(pg_temp.lists('copy', 'send_letter', 'Sends a mail to one or several people, with attachments.'), 'approved: ', 'not one of another name');
select is(pg_temp.lists('twin', 'send_mail', 'Sends a mail to one or several people, with attachments.'), 'approved: ', 'nor a second instance');
select is(pg_temp.lists('free', 'send_mail', 'Sends a mail to one or several people, with attachments.'), 'approved: ', 'nor where nothing waits');
select is((select count(*) from catalog.item as i where i.public_name = 'hub__send_mail' and i.is_live), 1::bigint, 'the original is not put aside');
select is((select v.approved_at from catalog.item_version as v inner join catalog.item as i on i.id = v.item_id where i.public_name = 'copy__send_mail'), null, 'the version of the copy is not approved');

select * from finish();
rollback;
