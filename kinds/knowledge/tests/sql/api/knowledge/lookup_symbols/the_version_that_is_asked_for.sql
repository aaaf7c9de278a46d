begin;
select plan(8);
select t.make_principal('bob'), t.make_project('shop', 'alice'), t.make_project('desk', 'bob');
select t.make_library('shop', 'acme', '1.2.3'), t.make_library('shop', 'acme', '1.2', 'An old one.'), t.make_library('shop', 'acme', '2.0');
select t.make_library('desk', 'acme', '3.0');

select t.act_as('alice', 'qm_user');
create function pg_temp.answered(p_wanted text) returns text language sql as $$
    select s.version from api.lookup_symbols('acme', 'send', wanted_version => p_wanted) as s
$$;
select is(pg_temp.answered(null), '2.0', 'the newest, if none is asked for');
select is(pg_temp.answered('1.2.3'), '1.2.3', 'the one that is asked for');
select is(pg_temp.answered('1.2'), '1.2', 'exactly this one, if it is there');
select is(pg_temp.answered('1.2.0'), '1.2', 'zeros at the end make no difference');
select is(pg_temp.answered('2'), '2.0', 'whatever was written');
select is(pg_temp.answered('1.2.3.4'), '2.0', 'the newest, if it is not there');
select is(pg_temp.answered('3.0'), '2.0', 'what only others have is not there');
select t.act_as_superuser();
delete from knowledge.distribution as d where d.version = '1.2';
select t.act_as('alice', 'qm_user');
select is(pg_temp.answered('1.2'), '1.2.3', 'or else one of the same line');
select * from finish();
rollback;
