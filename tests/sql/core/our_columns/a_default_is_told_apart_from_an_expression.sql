begin;
select plan(2);

create table core.zz_columns (one integer default 3, two integer generated always as (one + 1) stored);
select is((select (c.expression, c.generated)::text from core.our_columns() as c where c.name = 'core.zz_columns.one'), '(3,)', 'a default');
select is((select (c.expression, c.generated)::text from core.our_columns() as c where c.name = 'core.zz_columns.two'), '(,"(one + 1)")', 'an expression');

select * from finish();
rollback;
