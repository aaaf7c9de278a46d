begin;
select plan(3);

create function pg_temp.print(p_pattern text, p_value text default 'src/**', p_polarity text default 'do') returns text
language sql return encode(decisions.fingerprint('path', p_value, p_polarity, p_pattern), 'hex');
select matches(pg_temp.print('Use the session.'), '^[0-9a-f]{64}$', 'a SHA-256');
select is(pg_temp.print(' use   THE "session"!'), pg_temp.print('Use the session.'), 'spaces, case and punctuation do not matter');
select is(
    (select count(distinct f) from unnest(array[pg_temp.print('Use the session.'), pg_temp.print('Use a session.'), pg_temp.print('Use the session.', 'lib/**'), pg_temp.print('Use the session.', 'src/**', 'avoid')]) as f),
    4::bigint, 'words, scope and polarity do'
);

select * from finish();
rollback;
