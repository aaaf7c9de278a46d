begin;
select plan(9);

select t.make_catalog(), t.make_principal('alice');
delete from search.coefficient;
select search.put_model('test-4', 4, true);
select t.embed_cards('tool', 'test-4');
create function pg_temp.found(p_confidence jsonb) returns table (name text, score real, weak boolean, receipt bigint) language plpgsql as $$
begin
    perform t.act_as_superuser();
    perform search.put_coefficients('tool', 'test-4', jsonb_build_object('score', '{"dense": 4, "lexical_relative": 2, "intercept": -3}'::jsonb, 'confidence', p_confidence));
    perform t.read_as('alice');
    return query select f.name, f.score, f.weak, f.receipt from api.search_cards('what time is it in Tokyo', query_vector => t.unit_vector(4, 2)) as f order by f.rank;
end
$$;
create temporary table given (name text, score real, weak boolean, receipt bigint);
grant all on given to public;
insert into given select * from pg_temp.found('{"odds": 0, "intercept": -9}');
select isnt_empty($$select * from given$$, 'the nearest are shown');
select is_empty($$select * from given as g where not g.weak or g.score > 0.001$$, 'as weak matches, each with its probability');
select is_empty(
    $$select * from selection.receipt as r cross join jsonb_array_elements(r.offered) as o (offer) where not (o.offer -> 'weak')::boolean$$, 'the receipt records it'
);
delete from given;
insert into given select * from pg_temp.found('{"odds": 0, "intercept": 2}');
select is((select count(*) from given as g where not g.weak and g.score > 0.8), 4::bigint, 'if they are probable, none is weak');
delete from given;
insert into given select * from pg_temp.found('{"rank": -20, "intercept": 2}');
select is((select count(*) from given), 1::bigint, 'the list ends where cards become unlikely');
select is((select r.withheld ->> 'unlikely' from selection.receipt as r order by r.id desc limit 1), '3', 'the receipt says why');
select is(
    (select array_agg(distinct f.scores ->> 'withheld') from api.search_cards('what time is it in Tokyo', query_vector => t.unit_vector(4, 2), explain => true) as f where f.rank is null),
    '{unlikely}', 'and so does an explanation'
);
select isnt_empty(
    $$select * from api.search_cards('what time is it in Tokyo', query_vector => t.unit_vector(4, 2), explain => true) as f where f.scores -> 'confidence' ? 'rank'$$,
    'which splits the probability, too'
);
delete from given;
insert into given select * from pg_temp.found('{}');
select is((select count(*) from given as g where not g.weak), 4::bigint, 'if no probability was learned, nothing is withheld or weak');

select * from finish();
rollback;
