begin;
select plan(4);

select t.make_project('shop', 'alice'), t.make_library('shop', 'acme');
create function pg_temp.named(p_name text, p_is_exact boolean default false) returns text language sql as $$
    select string_agg(s.path, ' ')
    from knowledge.distribution as d
    cross join lateral knowledge.named_symbols(d.id, p_name, p_is_exact) as n (id)
    inner join knowledge.symbol as s on s.id = n.id
$$;
select is(pg_temp.named('acme.send'), 'acme.send', 'a path');
select is(pg_temp.named('Core.Send'), 'acme.send', 'the end of a further path, in other capitals');
select is(pg_temp.named('Core.Send', true), null, 'which may be asked for exactly');
select is(pg_temp.named('end'), null, 'a part of a name');

select * from finish();
rollback;
