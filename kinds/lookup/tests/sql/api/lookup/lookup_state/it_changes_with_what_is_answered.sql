begin;
select plan(10);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('bob');
create temporary table seen (step text, state text);
grant all on seen to public;
create function pg_temp.look(p_who text, p_step text) returns void language plpgsql as $$
begin
    perform t.act_as(p_who);
    insert into seen select p_step, s.state from api.lookup_state('plant') as s;
    perform t.act_as_superuser();
end $$;
create function pg_temp.differ(p_one text, p_other text) returns boolean language sql as $$
    select (select s.state from seen as s where s.step = p_one) <> (select s.state from seen as s where s.step = p_other);
$$;
select t.act_as('alice');
select throws_ok($$select * from api.lookup_state('nowhere')$$, 'QM404', null, 'an unknown table');
select results_eq($$select s.profile, s.share from api.lookup_state('plant') as s$$, $$values ('default', 0::real)$$, 'the default''s weights, no shadow');
select pg_temp.look('alice', 'first'), pg_temp.look('bob', 'bob');
select ok(not pg_temp.differ('first', 'bob'), 'who may see the same shares it');
select lookup.put_rows((select t.id from lookup.lookup_table as t where t.name = 'plant'), '[{"id": "9", "value": "Carex nigra"}]', false);
select pg_temp.look('alice', 'rows');
select ok(pg_temp.differ('first', 'rows'), 'rows');
update lookup.lookup_table set threshold = 0.7 where name = 'plant';
select pg_temp.look('alice', 'threshold');
select ok(pg_temp.differ('rows', 'threshold'), 'the threshold');
select search.put_coefficients('lookup', 'plant', '{"score": {"cosine": 9}}');
select pg_temp.look('alice', 'weights');
select ok(pg_temp.differ('threshold', 'weights'), 'the weights');
select search.put_coefficients('lookup', 'plant', '{"score": {"cosine": 8}}');
select pg_temp.look('alice', 'other weights');
select ok(pg_temp.differ('weights', 'other weights'), 'other weights of the same profile');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:alice", "origins": ["place"]}]}');
select pg_temp.look('alice', 'rules'), pg_temp.look('bob', 'rules of bob');
select ok(pg_temp.differ('other weights', 'rules'), 'the rules');
select ok(pg_temp.differ('rules', 'rules of bob'), 'who may not see the same does not share it');
select pg_temp.look('alice', 'again');
select ok(not pg_temp.differ('rules', 'again'), 'else nothing');

select * from finish();
rollback;
