begin;
select plan(4);

select t.make_project('shop', 'alice'), t.make_project('blog', 'alice');
select t.make_library('shop', 'acme', '1.2'), t.make_library('shop', 'acme', '2.0'), t.make_library('blog', 'zebra');
create function pg_temp.required(p_library text, p_project text default null, p_version text default null) returns text language sql as $$
    select concat_ws(' ', r.name, r.version, r.fit)
    from knowledge.require_library(p_library, null, (select p.id from projects.project as p where p.name = p_project), p_version) as r
$$;
select is(pg_temp.required('acme'), 'acme 2.0 3', 'the newest');
select is(pg_temp.required('acme', p_version => '1.2.0'), 'acme 1.2 3', 'the version that is asked for');
select throws_ok($$select pg_temp.required('left-pad')$$, 'QM404', 'no indexed library is called ''left-pad''', 'an unknown name');
select throws_ok(
    $$select pg_temp.required('acme', 'blog')$$, 'QM404', 'acme is not among the packages that were read for the project alice/blog', 'what the project does not have'
);

select * from finish();
rollback;
