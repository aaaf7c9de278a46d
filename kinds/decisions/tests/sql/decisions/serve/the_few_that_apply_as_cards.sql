begin;
select plan(6);

select t.make_project('shop', 'alice'), t.make_project('blog', 'alice');
create temporary table made as select t.make_decisions(
    'shop', t.candidate('Endpoints return serializers.'), t.candidate('Money is a Decimal, never a float.', '{"scope": {"kind": "path", "value": "billing/**"}}'), t.candidate('Requests have a session.', '{"confidence": "low"}')
) as ids;
grant select on made to public;
select t.make_decisions('blog', t.candidate('Endpoints return dicts.'));
create function pg_temp.served(p_path text, p_task text, p_top integer default 8, p_budget integer default 1500) returns jsonb language sql as $$
    select decisions.serve(p.id, p_path, p_task, coalesce(nullif(p_task, ''), ' '), selection.choose_mode('balanced', 'x'), null, p_top, p_budget) from projects.project as p where p.name = 'shop';
$$;
create function pg_temp.refs(p_served jsonb) returns bigint[] language sql return (select array_agg((c ->> 'ref')::bigint order by c -> 'rank') from jsonb_array_elements(p_served) as c);
select t.read_as('alice');
select is(pg_temp.refs(pg_temp.served('src/api/a.py', 'requests need a session')), (select array[ids[3], ids[1]] from made), 'those about the path, what fits the task first');
select is(pg_temp.refs(pg_temp.served('src/api/a.py', 'round the money as decimal float')), (select array[ids[1], ids[3], ids[2]] from made), 'then one about another path that fits the task');
select is(pg_temp.served('docs/a.md', 'fix a typo'), null, 'none applies');
select is(pg_temp.refs(pg_temp.served('src/api/a.py', '', 1)) || pg_temp.refs(pg_temp.served('src/api/a.py', '', 8, 1)), (select array[ids[1], ids[1]] from made), 'so many, and so long');
select is(
    pg_temp.served('src/api/a.py', '', 1) #- '{0,score}', (select jsonb_build_array(jsonb_build_object(
        'rank', 1, 'ref', ids[1], 'name', 'decision-' || ids[1], 'scores', jsonb_build_object('tier', 1, 'topic', 0.000, 'place', 0.667, 'tokens', decisions.tokens('Endpoints return serializers.', '', 'src/api/**', ''), 'path', 'src/api/a.py')
    )) from made), 'a card says why'
);
select t.act_as_superuser();
update decisions.decision set health = 'suspect' where pattern like 'Endpoints return s%';
update decisions.decision set suspicion = 'orders' where pattern like 'Requests%';
select t.read_as('alice');
select is(pg_temp.refs(pg_temp.served('src/api/a.py', 'round the money as decimal float')), (select array[ids[2], ids[1]] from made), 'what no longer agrees with the code comes last, and what gives orders is not served');

select * from finish();
rollback;
