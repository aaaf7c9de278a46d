begin;
select plan(10);

select t.make_principal('op', 'operator'), t.make_principal('boss', 'admin'), t.make_origin('known');
update catalog.origin set environment = '{"KEY": "env:KNOWN"}' where name = 'known';
insert into catalog.allowance (kind, value, origin) values ('program', '["uvx"]', null), ('environment', 'env:KEY', 'o');
create function pg_temp.refused(
    p_name text, p_command text[], p_environment jsonb default '{}', p_cwd text default null, p_tls jsonb default '{}', p_auth jsonb default '{}'
) returns text language plpgsql security definer as $$
begin
    perform catalog.require_allowed(p_name, 'stdio', p_command, null, p_cwd, p_environment, '{}', null, p_tls, p_auth);
    return null;
exception when sqlstate 'QM403' then
    return sqlerrm;
end
$$;
select t.act_as('op', 'qm_operator');
select is(pg_temp.refused('o', '{uvx}', '{"A": "env:KEY", "B": "secret:o/own"}'), null, 'a program and a variable that are allowed, and its own secret');
select is(pg_temp.refused('o', '{sh}'), 'only an administrator may allow the program ["sh"] for the origin ''o''', 'another program');
select is(pg_temp.refused('o', '{uvx}', p_cwd => '/'), 'only an administrator may allow the working directory / for the origin ''o''', 'a folder');
select is(pg_temp.refused('o', '{uvx}', '{"A": "secret:p/key"}'), 'only an administrator may allow the credential secret:p/key for the origin ''o''', 'the secret of another');
select is(pg_temp.refused('p', '{uvx}', '{"A": "env:KEY"}'), 'only an administrator may allow the credential env:KEY for the origin ''p''', 'a variable of another');
select is(pg_temp.refused('o', '{uvx}', p_tls => '{"ca": "x"}'), 'only an administrator may allow the TLS settings for the origin ''o''', 'TLS settings');
select is(pg_temp.refused('o', '{uvx}', p_auth => '{"flow": "x"}'), 'only an administrator may allow the authorisation settings for the origin ''o''', 'authorisation settings');
select is(pg_temp.refused('known', '{true}', '{"KEY": "env:KNOWN"}'), null, 'what is stored stays allowed');
select is(pg_temp.refused('known', '{false}', '{"KEY": "env:KNOWN"}'), 'only an administrator may allow the program ["false"] for the origin ''known''', 'while its program stays');
select t.act_as('boss', 'qm_admin');
select is(pg_temp.refused('o', '{sh}', '{"A": "secret:p/key"}', '/'), null, 'an administrator is refused nothing');

select * from finish();
rollback;
