begin;
select plan(4);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
create function pg_temp.key(p_goal text default 'ticket', p_scope jsonb default '{}') returns bytea language sql as $$
    select selection.pool_key('tool', p_goal, null, selection.require_mode('fast'), p_scope)
$$;
create temporary table keys (who text, key bytea);
grant all on keys to public;
select throws_ok($$select t.read_as(null), pg_temp.key()$$, 'QM403', null, 'nobody has none');
select t.read_as('alice');
insert into keys values ('alice', pg_temp.key()), ('alice', pg_temp.key()), ('goal', pg_temp.key('other')),
    ('scope', pg_temp.key(p_scope => '{"among": [1, 2]}')), ('other scope', pg_temp.key(p_scope => '{"among": [1]}'));
select t.read_as('bob');
insert into keys values ('bob', pg_temp.key());
select t.act_as_superuser();
select t.make_tool('tracker', 'close_ticket');
select t.read_as('bob');
insert into keys values ('state', pg_temp.key());
select is((select count(distinct k.key) from keys as k where k.who = 'alice'), 1::bigint, 'the same for the same');
select is((select count(distinct k.key) from keys as k), 6::bigint, 'another for anything else');
select is((select max(length(k.key)) from keys as k), 32, 'a SHA-256');

select * from finish();
rollback;
