begin;
select plan(3);

select t.make_catalog(), t.make_project('shop', 'alice');
update core.setting set value = '100000' where name = 'task.time_ms';
update core.setting set value = '0' where name = 'task.best_symbol';
select search.put_model('m', 2, true);
select t.make_library('shop', 'acme', '1.0', 'Sends a parcel by road.');
select search.store_embeddings('m', array_agg(c.kind), array_agg(c.text_hash), array_agg('[0.8,0.6]'::text)) from search.card as c where c.kind = 'symbol';
create function pg_temp.symbols(p_floor text, p_vector text) returns real[] language plpgsql as $$
begin
    perform t.act_as_superuser();
    update core.setting set value = p_floor::jsonb where name = 'task.symbol_floor';
    perform t.act_as('alice', 'qm_user');
    return (
        select array_agg(s.score) from api.start_task('send a parcel', project => 'shop', query_vector => p_vector::ext.vector) as s
        where s.part = 'symbol'
    );
end
$$;
create temporary table offered as select o.score from unnest(pg_temp.symbols('0', '[0.8,0.6]')) as o (score);
select t.act_as_superuser();
select isnt_empty($$select from offered$$, 'symbols are offered');
select is(
    pg_temp.symbols((select to_jsonb(max(o.score) + 0.001)::text from offered as o), '[0.8,0.6]'), null,
    'unless the score that is told is below the floor'
);
select isnt(pg_temp.symbols('1', null), null, 'without a vector, scores only tell which is better');

select * from finish();
rollback;
