begin;
select plan(5);

create temporary view learned as
select array_agg(n.position::real order by n.position) as weights
from unnest(search.feature_names('tool')) with ordinality as n (name, position);
create function pg_temp.silent(p_weights real[]) returns text[] language sql as $$
    select coalesce(array_agg(n.name order by n.name), '{}')
    from learned as l
    cross join unnest(search.feature_names('tool'), l.weights, search.silence('tool', l.weights, p_weights)) as n (name, learned, weight)
    where n.weight = 0 and n.learned <> 0;
$$;
select is((select search.silence('tool', l.weights, '{0.1, 1, 2}') from learned as l), (select l.weights from learned as l), 'as learned where each has a weight');
select is(
    pg_temp.silent('{0, 1, 1}'),
    '{lexical_coverage,lexical_rank,lexical_relative,lexical_share,name_coverage,name_share,origin_share}'::text[], 'words, those of names too'
);
select is(pg_temp.silent('{1, 0, 1}'), '{common_mean,common_nearest,dense,dense_gap,dense_rank,dense_relative,destroys_unasked,origin_dense}'::text[], 'vectors');
select is(pg_temp.silent('{1, 1, 0}'), '{fuzzy}'::text[], 'names alike');
select is(array_remove(search.feature_names('tool'), 'length'), array(select n from unnest(search.feature_names('tool')) as n where n = any(pg_temp.silent('{0, 0, 0}'))), 'only the length is no channel''s');

select * from finish();
rollback;
