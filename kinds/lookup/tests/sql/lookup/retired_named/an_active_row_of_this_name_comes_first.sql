begin;
select plan(5);

create function pg_temp.rival(p_id bigint, p_name text, p_active boolean, p_exact real, p_answer text default 'a')
returns lookup.rival language sql
return (p_id, p_id::text, p_name, p_name, '', p_active, false, lower(p_name), p_answer, 0, 1, array[p_exact])::lookup.rival;
select is(
    lookup.retired_named(array[pg_temp.rival(1, 'Alces', false, 1), pg_temp.rival(2, 'Betula', true, 0, 'b')], ' alces ', 1, true),
    '{1}', 'a retired row with this name'
);
select is(
    lookup.retired_named(array[pg_temp.rival(1, 'Alces', false, 1), pg_temp.rival(2, 'ALCES', true, 1)], 'Alces', 1, true),
    null, 'not if an active one has it, too'
);
select is(
    lookup.retired_named(array[pg_temp.rival(1, 'Alces', false, 1), pg_temp.rival(2, 'Alces.', true, 1)], 'Alces', 1, true),
    '{1}', 'letter by letter counts more than after normalisation'
);
select is(lookup.retired_named(array[pg_temp.rival(1, 'Alces alces', false, 0)], 'Alces', 1, true), '{1}', 'a first answer that is probable is named');
select is(lookup.retired_named(array[pg_temp.rival(1, 'Alces alces', false, 0)], 'Alces', 1, false), null, 'one that is not is none');

select * from finish();
rollback;
