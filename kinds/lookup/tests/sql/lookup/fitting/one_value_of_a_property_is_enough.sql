begin;
select plan(2);

create function pg_temp.row_with(p_facts jsonb) returns lookup.candidate language sql
return jsonb_populate_record(null::lookup.candidate, jsonb_build_object('facts', p_facts));
select is(
    lookup.fitting(
        array[pg_temp.row_with('["family=cervidae", "rank=species"]'), pg_temp.row_with('["rank=genus"]'), pg_temp.row_with('[]')],
        '{family=cervidae,rank=species,rank=genus}'
    ), '{1,0.5,0}', 'the share of the properties, of which any requested value fits'
);
select is(lookup.fitting('{}', '{rank=genus}'), '{}', 'no names, no shares');

select * from finish();
rollback;
