begin;
select plan(5);

select t.make_project('shop', 'alice');
create temporary table made as select t.make_decisions('shop', t.candidate('Raise our own errors.'), t.candidate('Cache the settings.')) as ids;
grant select on made to public;
select t.log_in('cora');
create temporary table other as select c.decision as id from api.put_candidates(jsonb_build_array(t.candidate('Raise our own errors.', '{"polarity": "avoid"}'))) as c;
grant select on other to public;
select throws_ok($$select api.resolve_decisions(ids[1], ids[2]) from made$$, 'QM404', null, 'two that do not contradict each other');
select api.resolve_decisions(ids[1], o.id, 'the API is special') from made cross join other as o;
select is((select d -> 'contradicts' from api.find_decisions(status => 'candidate') as d), '[]', 'they are no longer listed as contradictions');
select is((select jsonb_agg(api.show_decision(i) #> '{reviews,-1,reason}') from unnest((select array[ids[1], o.id] from made cross join other as o)) as i), '["the API is special", "the API is special"]', 'both have a review');
select is(api.approve_decisions(array(select o.id from other as o)), 1, 'and both can be canonical');
select t.act_as('cora', 'qm_user');
select throws_ok($$select api.resolve_decisions(ids[1], o.id) from made cross join other as o$$, 'QM403', null, 'never through the service');

select * from finish();
rollback;
