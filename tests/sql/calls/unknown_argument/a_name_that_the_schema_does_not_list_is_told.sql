begin;
select plan(6);

create function pg_temp.unknown(p_terms jsonb, p_properties text)
returns text
language sql
as $$
    select calls.unknown_argument(p_terms, ('{"type": "object", "properties": ' || p_properties || '}')::jsonb);
$$;

select is(
    pg_temp.unknown('{"masked": ["query", "quary"]}', '{"query": {}, "limit": {}}'),
    'the tool has no argument ''quary''. Its arguments are: limit, query', 'a mistyped name'
);
select is(pg_temp.unknown('{"masked": ["query"]}', '{"query": {}}'), null, 'an argument of the tool');
select is(
    pg_temp.unknown('{"masked": ["token"]}', '{"login": {"type": "object", "properties": {"token": {}}}}'), null, 'a part of an argument'
);
select matches(pg_temp.unknown('{"key_argument": "kee"}', '{"key": {}}'), 'no argument ''kee''', 'the name of the idempotency key');
select is(pg_temp.unknown('{"masked": ["any"], "timeout_s": 5}', '{}'), null, 'a schema that lists nothing takes every name');
select is(calls.unknown_argument('{"masked": ["any"]}', null), null, 'and so does a tool without a schema');

select * from finish();
rollback;
