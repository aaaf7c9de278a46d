begin;
select plan(5);

create function pg_temp.compared(p_query text, p_name text, p_evidence text default '') returns text language sql as $$
    select lookup.compare_numbers(
        jsonb_populate_record(null::lookup.question, jsonb_build_object('text', p_query, 'label', lower(p_query), 'words', string_to_array(lower(p_query), ' '))),
        array[jsonb_populate_record(null::lookup.candidate, jsonb_build_object('label', p_name, 'words', string_to_array(p_name, ' '), 'evidence', p_evidence))]
    )::text
$$;
select is(pg_temp.compared('Lake 2', 'lake 2'), '{{1,0,0,0}}', 'the same number');
select is(pg_temp.compared('Lake 2', 'lake 3'), '{{0,1,1,1}}', 'another one');
select is(pg_temp.compared('Lake 2', 'lake'), '{{0,0,1,1}}', 'none');
select is(pg_temp.compared('Lake 2', 'lake', ' 2 '), '{{0,0,0,0}}', 'a property of the row');
select is(pg_temp.compared('Lake 1999', 'lake'), '{{0,0,1,0}}', 'a year contradicts nothing');

select * from finish();
rollback;
