begin;
select plan(5);

select t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select api.load_notes(
    jsonb_build_array(
        t.note('databases/vacuum', 'Vacuum frees dead row versions for reuse.'), t.note('databases/ledger', 'A ledger is never changed.')
    ), 'a digest'
);
select t.act_as_superuser();
create function pg_temp.fit(p_name text, p_similar real, p_score real, p_goal text default 'vacuum the table') returns real language sql as $$
    select f.probability
    from knowledge.passage as p
    inner join knowledge.note as n on n.id = p.note_id
    cross join lateral knowledge.fit_passages(p_goal, array[p.id], array[p_similar], array[p_score]) as f
    where n.name = p_name
$$;
select cmp_ok(pg_temp.fit('databases/vacuum', 0.5, 0.5), '>', pg_temp.fit('databases/ledger', 0.5, 0.5), 'what contains words of the task is likelier');
select cmp_ok(pg_temp.fit('databases/vacuum', 0.5, 0.5), '>', pg_temp.fit('databases/vacuum', 0.1, 0.5), 'and what is nearer');
select cmp_ok(pg_temp.fit('databases/vacuum', 0.5, 0.5), '>', pg_temp.fit('databases/vacuum', 0.5, 0.1), 'and what the search puts first');
select is(pg_temp.fit('databases/vacuum', null, 0.5), pg_temp.fit('databases/vacuum', 0.45, 0.5), 'without vectors, a mean stands in');
select cmp_ok(pg_temp.fit('databases/vacuum', 0.5, 0.5, '...'), '>', 0::real, 'a task without words has a probability, too');

select * from finish();
rollback;
