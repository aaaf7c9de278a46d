begin;
select plan(6);

select lives_ok($$select lookup.require_page(1, 0), lookup.require_page(100, 10000)$$, 'the least and the most');
select throws_ok(format('select lookup.require_page(%L, %L)', p.maximum, p.skip), 'QM422', p.message, p.message)
from (
    values
    (0, 0, 'the size of a page must be between 1 and 100, got 0'),
    (101, 0, 'the size of a page must be between 1 and 100, got 101'),
    (null, 0, 'the size of a page must be between 1 and 100, got null'),
    (1, -1, 'the number of results to skip must be between 0 and 10,000, got -1'),
    (1, 10001, 'the number of results to skip must be between 0 and 10,000, got 10001')
) as p (maximum, skip, message);

select * from finish();
rollback;
