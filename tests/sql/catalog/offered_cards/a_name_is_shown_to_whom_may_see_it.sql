begin;
select plan(5);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
insert into selection.receipt (principal_id, kind, origin, goal, goal_hash, mode, offered, duration_ms)
select p.id, v.kind, v.origin, 'goal', '\x00', 'fast', v.offered, 1
from policy.principal as p, (values
    ('tool', null, jsonb_build_array(
        jsonb_build_object('rank', 1, 'name', 'time__convert_time', 'ref', (select i.id from catalog.item as i where i.public_name = 'time__convert_time')),
        jsonb_build_object('rank', 2, 'name', 'gone', 'ref', 0)
    )),
    ('lookup', 'plant', '[{"name": "1"}, {"name": "2"}]'::jsonb)
) as v (kind, origin, offered) where p.name = 'alice';
create function pg_temp.told(p_kind text) returns text language sql as $$
    select string_agg(format('%s %s %s', o.rank, o.name, o.origin), ', ' order by o.rank)
    from catalog.offered_cards(array(select r.id from selection.receipt as r where r.kind = p_kind)) as o
$$;
grant execute on all functions in schema pg_temp to public;
select t.read_as('bob');
select is(pg_temp.told('tool'), null, 'another''s receipt has nothing');
select t.read_as('alice');
select is(pg_temp.told('tool'), '1 time__convert_time time, 2  ', 'one''s own has the names of what is there');
select is(pg_temp.told('lookup'), '1  , 2  ', 'without the id of a card, nobody can tell who may see it');
select is((select count(*) from catalog.offered_cards(array(select r.id from selection.receipt as r))), 4::bigint, 'several receipts at once');
select t.act_as_superuser();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "origins": "time"}]}');
select t.read_as('alice');
select is(pg_temp.told('tool'), '1  , 2  ', 'what a rule hides has no name');

select * from finish();
rollback;
