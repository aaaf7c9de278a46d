begin;
select plan(4);

create function pg_temp.sureness(p_odds double precision, p_feature real default 0) returns numeric language sql
return round(lookup.sureness(array[p_feature], p_odds, 0, '{1,0,0}', '{1}')::numeric, 4);
select is(pg_temp.sureness(0), 0.5000::numeric, 'even odds are half');
select is(pg_temp.sureness(2), 0.8807::numeric, 'better ones are more');
select is(pg_temp.sureness(0, 1), 0.7310::numeric, 'and so is a feature');
select is(pg_temp.sureness(1000), pg_temp.sureness(12), 'beyond 12, nothing is surer');

select * from finish();
rollback;
