begin;
select plan(1);

create function pg_temp.named(p_label text) returns lookup.candidate language sql
return jsonb_populate_record(null::lookup.candidate, jsonb_build_object('label', p_label));
select is(
    lookup.repeating(array[pg_temp.named('alces alces'), pg_temp.named('alces alcesi'), pg_temp.named('alces')]), '{1,0,0}', 'whole words count'
);

select * from finish();
rollback;
