begin;
select plan(11);

select t.make_lookups();
select is(
    (lookup.query_problem(t.lookup_id('plant'), coalesce(q.query, 'x'), q.most, q.candidates, q.properties::jsonb, q.threshold))[1:2], q.problem::text[], q.what
)
from (
    values
    ('Betula', 1, 1, null, null, null, 'nothing is wrong'),
    ('Betula', 100, 100, '{"family": "x"}', 1, null, 'also at the limits'),
    (' ', 0, 1, null, 2, '{query_empty,"the query has no text"}', 'no text'),
    (repeat('x', 1001), 1, 1, null, null, '{query_too_long,"the query is 1001 characters long, but the limit is 1000"}', 'a long text'),
    ('x', 0, 1, null, null, '{argument_invalid,"the number of rows must be between 1 and 100, got 0"}', 'no rows'),
    ('x', null, 1, null, null, '{argument_invalid,"the number of rows must be between 1 and 100, got null"}', 'no number of rows'),
    ('x', 1, 101, null, null, '{argument_invalid,"the number of candidates must be between 1 and 100, got 101"}', 'many candidates'),
    ('x', 1, 1, null, 1.5, '{argument_invalid,"the threshold must be between 0 and 1, got 1.5"}', 'a threshold that is no probability'),
    ('x', 1, 1, '[]', null, '{argument_invalid,"the properties must be a JSON object"}', 'properties of another type'),
    ('x', 1, 1, '{"colour": "red"}', null, '{property_unknown,"no row has the property ''colour''"}', 'an unknown property')
) as q (query, most, candidates, properties, threshold, problem, what);
select is(
    (lookup.query_problem(t.lookup_id('plant'), 'x', 1, 1, '{"colour": "red"}', null))[3], 'Use one of: author, family.', 'the hint names those that there are'
);

select * from finish();
rollback;
