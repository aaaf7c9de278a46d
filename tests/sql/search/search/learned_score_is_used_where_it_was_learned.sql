begin;
select plan(6);

select t.make_catalog();
select search.put_model('test-8', 8, true);
select t.embed_cards('tool', 'test-8');
delete from search.coefficient;
create temporary view fused as
select * from search.search('tool', 'current time', t.unit_vector(8, 2), 5, 5, 0, 40, '{1, 1, 0}', 'fusion');
create temporary view learned as
select * from search.search('tool', 'current time', t.unit_vector(8, 2), 5, 5, 0, 40, '{1, 1, 0}', 'learned');

select results_eq('select card_id, score from learned', 'select card_id, score from fused', 'without coefficients it is fusion');
insert into search.coefficient (kind, profile, part, feature, weight)
values ('tool', 'test-8', 'score', 'intercept', 1), ('tool', 'test-8', 'score', 'lexical_relative', -2);
select is(
    (select round(l.score::numeric, 4) from learned as l where t.name_of(l.card_id) = 'time__get_current_time'), 0.2689,
    '1 / (1 + exp(1))'
);
select is((select round(max(l.score)::numeric, 4) from learned as l), 0.7311, 'what the words do not find comes first: the weight is negative');
select results_eq(
    $$select card_id from search.search('tool', 'current time', null, 5, 5, 0, 40, '{1, 1, 0}', 'learned')$$,
    $$select card_id from search.search('tool', 'current time', null, 5, 5, 0, 40, '{1, 1, 0}', 'fusion')$$, 'without a vector it is fusion'
);
insert into search.coefficient (kind, profile, part, feature, weight)
values ('tool', 'default', 'score', 'intercept', 1), ('tool', 'default', 'score', 'lexical_relative', 2);
select is(
    (
        select round(max(s.score)::numeric, 4)
        from search.search('tool', 'current time', null, 5, 5, 0, 40, '{1, 1, 0}', 'learned') as s
    ), 0.9526, 'weights under no model hold for a goal without a vector, too'
);
select is((select round(max(l.score)::numeric, 4) from learned as l), 0.7311, 'those of the model come first');

select * from finish();
rollback;
