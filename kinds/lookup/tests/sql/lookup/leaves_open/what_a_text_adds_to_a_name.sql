begin;
select plan(3);

select is_empty(
    $$select t from unnest('{not Salix caprea,ej Salix caprea,Salix caprea or alba,Salix caprea ELLER rubra,Salix caprea var. alba,Salix caprea ssp. nova}'::text[]) as t
    where not lookup.leaves_open(t, 'Salix caprea')$$,
    'these deny the name, or add to it'
);
select is_empty(
    $$select t from unnest('{Salix caprea,Salix caprea L.,Salix capra,Salix or,Salix variegata,Salix subsp. caprea}'::text[]) as t
    where lookup.leaves_open(t, 'Salix caprea')$$,
    'these do not'
);
select is(lookup.leaves_open('Carex nigra or rostrat', 'Carex nigra or rostrata'), false, 'nor does a text whose words are in the name');

select * from finish();
rollback;
