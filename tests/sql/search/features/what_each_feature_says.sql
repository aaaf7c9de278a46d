begin;
select plan(10);

select t.make_catalog();
select search.put_model('test-8', 8, true);
select t.embed_cards('tool', 'test-8');
create temporary view found as
select t.name_of(f.card_id) as name, n.name as feature, n.value
from search.features('tool', 'current time in Tokyo', t.unit_vector(8, 2), array(select c.id from search.card as c order by c.id)) as f
cross join lateral unnest(search.feature_names('tool'), f.features) as n (name, value);

select is((select f.value from found as f where f.name = 'time__get_current_time' and f.feature = 'lexical_relative'), 1::real, 'the best by words');
select is((select f.value from found as f where f.name = 'tracker__create_ticket' and f.feature = 'lexical_relative'), 0::real, 'no word in common');
select is((select max(f.value) from found as f where f.feature = 'lexical_rank'), 0.25::real, 'the first rank counts a quarter');
select is((select f.value from found as f where f.name = 'time__get_current_time' and f.feature = 'dense'), 1::real, 'the nearest vector');
select is((select max(f.value) from found as f where f.feature = 'dense_gap'), 0::real, 'nothing is nearer than the nearest');
select is(
    (select round(f.value::numeric, 3) from found as f where f.name = 'time__get_current_time' and f.feature = 'name_share'), 0.667,
    'two of the three words of its name are said'
);
select is(
    (select f.value from found as f where f.name = 'time__convert_time' and f.feature = 'name_share'), 0.25::real,
    'one of two, and it counts half, because two cards have at least this share'
);
select is((select f.value from found as f where f.name = 'tracker__create_ticket' and f.feature = 'name_share'), 0::real, 'none of its name');
select is((select f.value from found as f where f.name = 'time__convert_time' and f.feature = 'origin_share'), 1::real, 'the origin is named');
select cmp_ok(
    (select f.value from found as f where f.name = 'time__get_current_time' and f.feature = 'length'), '>',
    (select f.value from found as f where f.name = 'time__convert_time' and f.feature = 'length'), 'more words are longer'
);

select * from finish();
rollback;
