begin;
select plan(5);

select t.make_catalog(), t.make_principal('alice');
select t.at('2030-01-01 10:00+00');
insert into calls.call (id, started_at, principal_id, instance_id, request_id, kind, ref, version, argument_bytes, outcome, ended_at, duration_ms)
select 1, core.now(), p.id, gen_random_uuid(), 'r', x.kind, x.id, 3, 0, 'ok', core.now(), 1
from policy.principal as p cross join catalog.item as x where p.name = 'alice' and x.name = 'convert_time';
create function pg_temp.keep(p_body text, p_releases boolean, p_terms jsonb) returns void language sql as $$
    select calls.keep_answer(c.id, c.started_at, c.principal_id, p_body, '\x0a', p_releases, p_terms) from calls.call as c;
$$;
select pg_temp.keep('"x"', false, '{}');
select is_empty('select from calls.answer', 'no key and no cache: nothing');
select pg_temp.keep('"x"', false, '{"cache_s": 60}');
select results_eq(
    $$select a.kind, a.name, a.body, a.expires_at - core.now(), a.principal_id is null from calls.answer as a$$,
    $$values ('cache', '3 0a', '"x"', interval '1 minute', false)$$, 'the cache has it for its minute'
);
select pg_temp.keep('"y"', false, '{"cache_s": 60, "is_public": true}');
select is((select a.body from calls.answer as a where a.principal_id is null), '"y"', 'that of a public tool is for everybody');
insert into calls.answer (kind, principal_id, item_id, name, request_hash, call_id, called_at, created_at, expires_at)
select 'key', c.principal_id, c.ref, 'k', '', c.id, c.started_at, core.now(), core.now() + interval '1 day' from calls.call as c;
update core.setting set value = '3' where name = 'answer.largest';
select pg_temp.keep('"long"', false, '{}');
select is((select a.body from calls.answer as a where a.kind = 'key'), null, 'one that is too large is not stored for a key');
select pg_temp.keep(null, true, '{}');
select is_empty($$select from calls.answer as a where a.kind = 'key'$$, 'a key is released');

select * from finish();
rollback;
