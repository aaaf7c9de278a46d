begin;
select plan(12);

create function pg_temp.put(p_name text, p_transport text, p_command text [] default '{}', p_url text default null, p_environment jsonb default '{}', p_auth text default null)
returns bigint language sql as $$
    select catalog.put_origin(p_name, '', p_transport, p_command, p_url, null, p_environment, '{}', p_auth, '{}', '{}', false);
$$;
select throws_ok($$select pg_temp.put('', 'none')$$, 'QM422', null, 'no name');
select throws_ok($$select pg_temp.put(repeat('x', 201), 'none')$$, 'QM422', null, 'a name too long');
select throws_ok($$select pg_temp.put('x', 'carrier pigeon')$$, 'QM422', null, 'an unknown transport');
select throws_ok($$select pg_temp.put('x', null)$$, 'QM422', null, 'no transport');
select throws_ok($$select pg_temp.put('x', 'stdio')$$, 'QM422', null, 'stdio without a command');
select throws_ok($$select pg_temp.put('x', 'http')$$, 'QM422', null, 'http without a URL');
select throws_ok($$select pg_temp.put('x', 'sse', p_url => 'ftp://x')$$, 'QM422', null, 'sse with another URL');
select throws_ok($$select pg_temp.put('x', 'stdio', '{true}', p_environment => '{"TOKEN": "s3cr3t"}')$$, 'QM422', null, 'a secret instead of its locator');
select throws_ok($$select pg_temp.put('x', 'http', p_url => 'http://x', p_auth => 'Bearer abc')$$, 'QM422', null, 'a bearer token instead of its locator');
select lives_ok($$select pg_temp.put('x', 'stdio', '{true}', p_environment => '{"TOKEN": "secret:x/token", "HOME": "env:HOME"}')$$, 'locators are welcome');
select throws_ok($$select pg_temp.put('x', 'none')$$, 'QM409', null, 'a name that is there');
select is((select count(*) from catalog.origin as o), 1::bigint, 'one origin was made');

select * from finish();
rollback;
