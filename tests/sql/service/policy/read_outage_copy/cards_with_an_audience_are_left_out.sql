begin;
select plan(3);

select t.make_kind('memo'), t.make_project('shop', 'alice'), t.make_card('memo', 1, 'open', 'harbour');
select t.make_project_card('memo', 2, 'inside', (select p.id from projects.project as p), 'harbour');
create function pg_temp.id_of(p_name text) returns bigint language sql as $$
    select c.id from search.card as c where c.name = p_name;
$$;
select is(service.read_outage_copy() -> 'cards' @? format('$[*] ? (@[0] == %s)', pg_temp.id_of('open'))::jsonpath, true, 'other cards are in the copy');
select is(service.read_outage_copy() -> 'cards' @? format('$[*] ? (@[0] == %s)', pg_temp.id_of('inside'))::jsonpath, false, 'a card with an audience is not');
select is((select array_agg(d.public_name) from service.read_definitions(array[pg_temp.id_of('open'), pg_temp.id_of('inside')]) as d), '{open}', 'nor is its text read for the copy');

select * from finish();
rollback;
