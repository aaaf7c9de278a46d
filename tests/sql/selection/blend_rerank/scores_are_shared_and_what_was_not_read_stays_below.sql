begin;
select plan(8);

create function pg_temp.blended(p_rerank jsonb, p_weight real default 0.5) returns numeric[] language sql as $$
    select array_agg(round(b.score::numeric, 3) order by b.position)
    from unnest(selection.blend_rerank(array[11, 12, 13, 14], '{0.9, 0.8, 0.5, 0.4}', p_rerank, p_weight)) with ordinality as b (score, position);
$$;
select is(pg_temp.blended(null), '{0.900, 0.800, 0.500, 0.400}', 'nothing read: the scores as they are');
select is(pg_temp.blended('{"scores": {}}'), '{0.900, 0.800, 0.500, 0.400}', 'an empty answer too');
select is(pg_temp.blended('{"scores": {"99": 5}}'), '{0.900, 0.800, 0.500, 0.400}', 'cards that are not there are ignored');
select is(pg_temp.blended('{"scores": {"11": -1, "12": 1}}'), '{0.584, 0.766, 0.384, 0.334}', 'half and half; unread cards count as the worst read one');
select is(pg_temp.blended('{"scores": {"11": -1000, "12": 1000}}'), pg_temp.blended('{"scores": {"11": 0.2, "12": 0.3}}'), 'whatever the scale');
select is(pg_temp.blended('{"scores": {"11": 3, "12": 3}}'), '{0.700, 0.650, 0.500, 0.450}', 'equal scores say nothing');
select is(pg_temp.blended('{"scores": {"11": -1, "12": 1}}', 0), '{0.900, 0.800, 0.500, 0.400}', 'without weight the scores are as they were');
select is(selection.blend_rerank('{}', '{}', '{"scores": {"1": 1}}', 0.5), '{}', 'no card, no score');

select * from finish();
rollback;
