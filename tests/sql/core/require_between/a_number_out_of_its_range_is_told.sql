begin;
select plan(5);

select lives_ok(
    $$select core.require_between('top', 1, 1, 100, ''), core.require_between('top', 100, 1, 100, '')$$, 'both ends belong to the range'
);
select throws_ok(
    $$select core.require_between('top', 0, 1, 100, 'Ask for 1 to 100.')$$, 'QM422', 'top must be between 1 and 100, got 0', 'below it'
);
select throws_ok($$select core.require_between('share', 1.5, 0, 1, '')$$, 'QM422', 'share must be between 0 and 1, got 1.5', 'above it');
select throws_ok($$select core.require_between('top', null, 1, 100, '')$$, 'QM422', 'top must be between 1 and 100, got null', 'none');
select throws_ok($$select core.require_between('share', 'NaN', 0, 1, '')$$, 'QM422', 'share must be between 0 and 1, got NaN', 'no number');

select * from finish();
rollback;
