begin;
select plan(4);

select is(lookup.profiles_of('plant'), '{default}', 'no weights of its own');
select is(lookup.profiles_of('plant', true), '{default,vectors:plant}', 'a query with a vector');
insert into search.coefficient (kind, profile, part, feature, weight)
values ('lookup', 'plant', 'score', 'exact', 1), ('lookup', 'shadow:plant', 'score', 'exact', 1);
select is(lookup.profiles_of('plant'), '{plant}', 'its own weights');
select set_config('qm.lookup_shadow', 'on', true);
select is(lookup.profiles_of('plant'), '{shadow:plant}', 'those of its shadow, while this is searched');

select * from finish();
rollback;
