begin;
select plan(3);

select t.make_project('shop', 'alice');
create temporary table made as select t.make_decisions('shop', t.candidate('Use the session.'), t.candidate('Cache it.', '{"check": {"form": "import_contract", "forbidden": ["a"]}}'), t.candidate('Say no.')) as ids;
grant select on made to public;
select t.log_in('cora');
select api.reject_decisions(ids[3:3], 'too slow') from made;
select t.act_as_superuser();
create function pg_temp.judged(p_candidates jsonb, p_problems text[] default '{}', p_only_new boolean default false) returns setof text language sql as $$
    select concat_ws(' ', j.place, j.first, 'decision ' || array_position(m.ids, j.known), j.reason)
    from made as m, projects.project as p, decisions.judge_candidates(p.id, p_candidates, p_problems, p_only_new) as j where p.name = 'shop' order by j.place;
$$;
create function pg_temp.given() returns jsonb language sql return jsonb_build_array(
    t.candidate('use the session'), t.candidate('Keep it.', '{"check": {"form": "import_contract", "forbidden": ["a"]}}'), t.candidate('Say no!'), t.candidate('New.'), t.candidate('new'), '{}'::jsonb
);
select results_eq(
    $$select pg_temp.judged(pg_temp.given())$$,
    array['1 1 decision 1', '2 2 decision 2', '3 3 decision 3 it was rejected: too slow', '4 4', '5 4', '6 pattern is missing: say what to do, as an instruction'],
    'the same words or the same check are known, a rejection stays one, and of two new ones the first counts'
);
select results_eq(
    $$select pg_temp.judged(pg_temp.given() - 5 - 3, '{}', true)$$,
    array[
        '1 1 decision 1 it is not new: the project knows this decision already', '2 2 decision 2 it is not new: the project knows this decision already', '3 3 decision 3 it was rejected: too slow', '4 4'
    ], 'only new ones, if asked for'
);
select results_eq($$select pg_temp.judged(pg_temp.given() - 5 - 4 - 3 - 2 - 1, '{too vague}')$$, array['1 too vague'], 'what the caller refuses is refused');

select * from finish();
rollback;
