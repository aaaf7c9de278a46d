begin;
select plan(1);

select results_eq(
    $$select decisions.glob_expression(g) from unnest('{src/**,**/a.py,a*/?.py,x(1)+[y]}'::text[]) as g$$,
    array['^src/.*$', '^(?:.*/)?a\.py$', '^a[^/]*/[^/]\.py$', '^x\(1\)\+\[y\]$'], 'stars and question marks are wildcards, everything else is itself'
);

select * from finish();
rollback;
