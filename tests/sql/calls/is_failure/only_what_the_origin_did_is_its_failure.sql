begin;
select plan(1);

select set_eq(
    $$select o from unnest(array['ok', 'tool_error', 'invalid_arguments', 'timeout', 'cancelled', 'busy', 'auth', 'network', 'died', 'protocol',
      'lost', 'internal', 'unavailable', 'pending']) as o where calls.is_failure(o)$$,
    array['timeout', 'network', 'died', 'protocol'], 'these'
);

select * from finish();
rollback;
