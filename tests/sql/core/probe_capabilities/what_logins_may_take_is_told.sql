begin;
select plan(3);

-- Tests make other databases on this server.
select core.probe_capabilities();
select doesnt_match(
    (select coalesce(c.reason, '') from core.capability as c where c.name = 'login_limits'),
    'functions', 'no function is open'
);

grant execute on function pg_advisory_lock(bigint) to public;
select core.probe_capabilities();
select ok(not core.has_capability('login_limits'), 'one function is open');
select matches(
    (select c.reason from core.capability as c where c.name = 'login_limits'),
    '1 functions .* qm install --limit-logins', 'the reason names the command'
);

select * from finish();
rollback;
