begin;
select plan(1);

select is(search.scaled('[1,-2,0]'::ext.vector, 0.5)::text, '[0.5,-1,0]', 'each member is multiplied');

select * from finish();
rollback;
