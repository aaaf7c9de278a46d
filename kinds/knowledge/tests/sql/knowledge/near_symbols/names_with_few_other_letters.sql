begin;
select plan(3);

select t.make_project('shop', 'alice'), t.make_library('shop', 'acme');
create function pg_temp.near(p_name text) returns text language sql as $$
    select string_agg(s.path || ' ' || n.likeness, ', ')
    from knowledge.distribution as d
    cross join lateral knowledge.near_symbols(d.id, p_name) as n
    inner join knowledge.symbol as s on s.id = n.id
$$;
select is(pg_temp.near('acme.sent'), 'acme.send 0.75', 'one of four letters is another one');
select is(pg_temp.near('post'), null, 'too many letters are');
update knowledge.symbol as s set priors[7] = 1;
select is(pg_temp.near('send'), 'acme.send 0.7', 'what is outdated is less like it');

select * from finish();
rollback;
