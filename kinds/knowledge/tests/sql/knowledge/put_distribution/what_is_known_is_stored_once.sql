begin;
select plan(4);

select t.make_project('shop', 'alice'), t.make_project('desk', 'bob');
insert into knowledge.environment (folder, project_id, indexed_at) select '/srv/' || p.name, p.id, core.now() from projects.project as p;
create function pg_temp.put(p_project text, p_changes jsonb default '{}') returns text language sql as $$
    select concat_ws(' ', r.id = min(d.id), r.is_new, count(d.id), bool_and(r.content = d.content))
    from knowledge.environment as e
    cross join lateral knowledge.put_distribution(
        e,
        jsonb_build_object(
            'name', 'Acme', 'version', '1.0', 'digest', repeat('a', 64), 'modules', '["acme"]'::jsonb, 'symbols', jsonb_build_array(
                jsonb_build_object(
                    'path', 'acme.f', 'paths', '["acme.core.f"]'::jsonb, 'kind', 'function', 'signature', 'f()', 'file', 'acme.py', 'line', 1,
                    'passage', '', 'parameters', '[]'::jsonb, 'deprecated', '', 'is_async', false, 'is_public', true,
                    'priors', array_to_json(array_fill(99::real, array[15]))
                )
            )
        ) || p_changes
    ) as r
    left join knowledge.distribution as d on d.name = 'acme'
    where e.folder = '/srv/' || p_project
    group by r.id, r.is_new, r.content
$$;
select pg_temp.put('shop');
select is(pg_temp.put('desk'), 't f 1 t', 'the same in another environment');
select is((select count(*) from knowledge.environment_distribution), 2::bigint, 'both environments contain it');
select results_eq(
    $$select s.path, p.path, max(u.prior) from knowledge.symbol as s inner join knowledge.symbol_path as p on p.symbol_id = s.id, unnest(s.priors) as u (prior) group by 1, 2$$,
    $$values ('acme.f', 'acme.core.f', 20::real)$$, 'with its objects, whose priors are limited'
);
select throws_ok($$select pg_temp.put('shop', '{"digest": "none"}')$$, 'QM422', null, 'a digest that is none');

select * from finish();
rollback;
