begin;
select plan(3);

select t.make_kind('memo'), t.make_kind('note');
insert into search.model (name, dimension, source) values ('one', 3, 'one'), ('two', 5, 'two');
create function pg_temp.indexes() returns bigint language sql as $$
    select count(*)
    from search.kind as k cross join search.model as m
    inner join pg_indexes as i on i.schemaname = 'search' and i.indexname = format('embedding_%s_%s_idx', k.name, m.id) collate "C"
    where k.name in ('memo', 'note') and m.name in ('one', 'two') and i.indexdef like format('%% USING hnsw %%halfvec(%s)%%', m.dimension)
$$;
select is(pg_temp.indexes(), 0::bigint, 'new models have none');
select search.create_vector_indexes();
select is(pg_temp.indexes(), 4::bigint, 'two kinds, two models');
select lives_ok('select search.create_vector_indexes()', 'once');

select * from finish();
rollback;
