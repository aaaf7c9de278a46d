begin;
select plan(8);

select t.make_catalog(), t.make_principal('alice');
select search.put_model('test', 8, true), t.embed_cards('tool', 'test');
select t.read_as('alice');
create function pg_temp.sources(p_goal text) returns text language sql as $$
    select string_agg(distinct s.source, ',') from api.select_tools(p_goal, query_vector => t.unit_vector(8, 2), explain => true) as f cross join jsonb_array_elements_text(f.scores -> 'sources') as s (source);
$$;
select is(pg_temp.sources('it is what it is and so on, of the to be or not'), 'dense', 'stop words only: by meaning');
select is(pg_temp.sources('現在の時刻を教えて'), 'dense', 'Japanese');
select is(pg_temp.sources('который сейчас час'), 'dense', 'Russian');
select is(pg_temp.sources('כמה השעה'), 'dense', 'Hebrew');
select is(pg_temp.sources('?!… 🕰️ --'), 'dense', 'signs only');
select is_empty($$select * from api.select_tools('it is what it is and so on, of the to be or not')$$, 'and without a vector nothing, which is no error');
select throws_ok($$select * from api.select_tools(repeat('what time is it ', 3200))$$, 'QM413', null, 'fifty thousand characters are too many');
select is((select count(*) from selection.receipt as r where length(r.goal) > 1000), 0::bigint, 'and leave no receipt');

select * from finish();
rollback;
