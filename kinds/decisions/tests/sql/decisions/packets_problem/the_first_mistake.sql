begin;
select plan(3);

create function pg_temp.packet(p_piece jsonb default '{}', p_more jsonb default '{}') returns jsonb language sql as $$
    select jsonb_build_array(jsonb_build_object(
        'scope', 'src', 'commit', '0a0a0a0', 'evidence', jsonb_build_array('{"id": "E1", "level": "excerpts", "kind": "file", "path": "a.py", "text": ""}'::jsonb || p_piece)
    ) || p_more);
$$;
select is(decisions.packets_problem(pg_temp.packet() || '[]'), null, 'nothing is wrong with a good one');
select is_empty(
    $$select g.more from unnest(array['{"scope": 5}', '{"commit": "HEAD"}', '{"evidence": {}}']::jsonb[] || jsonb_build_object('scope', repeat('x', 501)) || jsonb_build_object('evidence', jsonb_build_array(repeat('x', 24000)))) as g (more)
    where decisions.packets_problem(pg_temp.packet('{}', g.more)) is distinct from 'a packet is {scope, commit, evidence}, with at most 24000 characters of evidence'$$,
    'a scope, a commit and some evidence'
);
select is_empty(
    $$select e.more from unnest(array['{"id": "1"}', '{"level": "rumours"}', '{"text": null}', '{"path": "/etc/passwd"}', '{"path": "a\u0007.py"}']::jsonb[]) as e (more)
    where decisions.packets_problem(pg_temp.packet(e.more)) is null or decisions.packets_problem(pg_temp.packet(e.more)) !~ '^a piece of evidence is'$$,
    'a piece has an id, a level, a place and a text'
);

select * from finish();
rollback;
