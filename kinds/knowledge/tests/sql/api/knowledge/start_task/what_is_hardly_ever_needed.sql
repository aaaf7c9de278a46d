begin;
select plan(3);

select t.make_catalog(), t.make_principal('op', 'operator');
update core.setting set value = '100000' where name = 'task.time_ms';
select search.put_model('two', 2, true);
select t.act_as('op', 'qm_operator');
select api.load_notes(jsonb_build_array(t.note('databases/vacuum', 'Vacuum frees dead row versions for reuse.')), 'a digest');
select t.act_as_superuser();
create function pg_temp.notes(p_floor text, p_vector text) returns bigint language plpgsql as $$
begin
    perform t.act_as_superuser();
    update core.setting set value = p_floor::jsonb where name = 'task.note_floor';
    perform t.act_as('op', 'qm_operator');
    return (
        select count(*) from api.start_task('vacuum dead row versions', query_vector => p_vector::ext.vector) as s where s.part = 'note'
    );
end
$$;
select is(pg_temp.notes('0', '[0.6,0.8]'), 1::bigint, 'a note is offered');
select is(pg_temp.notes('1', '[0.6,0.8]'), 0::bigint, 'unless its score is below the floor');
select is(pg_temp.notes('1', null), 1::bigint, 'without a vector, scores only tell which is better');

select * from finish();
rollback;
