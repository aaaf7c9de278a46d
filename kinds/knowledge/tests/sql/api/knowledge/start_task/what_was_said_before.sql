begin;
select plan(3);

select t.make_catalog(), t.make_principal('op', 'operator');
update core.setting set value = '100000' where name = 'task.time_ms';
select search.put_model('m', 2, true);
select t.act_as('op', 'qm_operator');
select api.load_notes(
    jsonb_build_array(
        t.note('code/modules', 'One file imports the other file, and the other file imports the same file.'),
        t.note('databases/vacuum', 'Vacuum frees dead row versions for reuse.')
    ), 'a digest'
);
select t.act_as_superuser();
select search.store_embeddings('m', array_agg(c.kind), array_agg(c.text_hash), array_agg('[0.8,0.6]'::text)) from search.card as c where c.kind in ('passage', 'question');
select t.act_as('op', 'qm_operator');
create function pg_temp.best(p_goal text) returns text language sql as $$
    select s.name
    from api.start_task(p_goal, recent_context => 'Vacuum freed the dead row versions.', query_vector => '[0.8,0.6]') as s
    where s.part = 'note'
    limit 1
$$;
select is(pg_temp.best('do the same for the other file'), 'databases/vacuum', 'says which note fits, if the goal does not');
select is(pg_temp.best('find a file that imports a file'), 'code/modules', 'a goal that says it itself counts alone');
select t.act_as_superuser();
select is_empty($$select from selection.receipt as r where r.goal ~ 'Vacuum'$$, 'and it is not kept');

select * from finish();
rollback;
