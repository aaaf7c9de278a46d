begin;
select plan(13);

create function pg_temp.check_auth(p_auth jsonb, p_transport text default 'http', p_reference text default null, p_tls jsonb default '{}') returns void
language sql as $$
    select catalog.check_auth('hub', p_transport, p_reference, p_auth, p_tls);
$$;
create function pg_temp.refusal(p_auth jsonb, p_tls jsonb default '{}') returns text
language plpgsql as $$
begin
    perform pg_temp.check_auth(p_auth, p_tls => p_tls);
    return 'none';
exception when sqlstate 'QM422' then
    return sqlerrm;
end
$$;
select throws_ok($$select pg_temp.check_auth('{"client_secret": "s3cr3t"}')$$, 'QM422', null, 'a secret');
select unalike(pg_temp.refusal('{"client_secret": "s3cr3t"}'), '%s3cr3t%', 'which the error does not repeat');
select alike(pg_temp.refusal('{}', '{"client_key": "-----BEGIN PRIVATE KEY-----"}'), '%contain a secret itself%', 'a key');
select throws_ok($$select pg_temp.check_auth('{"user": "x"}')$$, 'QM422', null, 'what nobody understands');
select throws_ok($$select pg_temp.check_auth('{"grant": "password"}')$$, 'QM422', null, 'an unknown grant');
select throws_ok($$select pg_temp.check_auth('{"per_principal": "yes"}')$$, 'QM422', null, 'a text for a truth value');
select throws_ok($$select pg_temp.check_auth('{"grant": "signed", "lifetime_s": 86400}')$$, 'QM422', null, 'a token for a day');
select throws_ok($$select pg_temp.check_auth('{"grant": "signed"}', 'stdio')$$, 'QM422', null, 'a token for a program');
select throws_ok($$select pg_temp.check_auth('{"grant": "signed"}', 'http', 'secret:token')$$, 'QM422', null, 'two ways at once');
select throws_ok($$select pg_temp.check_auth('{"grant": "client_credentials", "client_id": "a"}')$$, 'QM422', null, 'half of client credentials');
select lives_ok($$select pg_temp.check_auth('{"grant": "authorization_code", "per_principal": true}')$$, 'a login for each principal');
select lives_ok(
    $$select pg_temp.check_auth('{"grant": "client_credentials", "client_id": "a", "client_secret": "secret:hub/client", "issuer": "https://a.example"}')$$,
    'client credentials'
);
select lives_ok($$select pg_temp.check_auth('{}', 'stdio')$$, 'nothing');

select * from finish();
rollback;
