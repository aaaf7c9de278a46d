begin;
select plan(5);

select t.make_lookups(), t.make_principal('alice');
create function pg_temp.answered(p_query text, p_tells_retired boolean default false) returns text language sql as $$
    select string_agg(concat_ws(' ', a.rank, a.id, a.name, a.match, a.active), ', ' order by a.rank)
    from lookup.answer(t.lookup_id('plant'), p_query, 1, p_tells_retired => p_tells_retired) as a
$$;
select t.read_as('alice');
select is(pg_temp.answered('Betula pendul'), '1 1 Betula pendula t t', 'a word that is spelled wrong');
select is(pg_temp.answered('Xyzzy quux'), null, 'what is improbable is no answer');
select is(pg_temp.answered('Betula alba'), null, 'nor is a retired row');
select is(pg_temp.answered('Betula alba', true), '1 4 Betula alba f f', 'unless it is asked for, and then it is no match');
select t.read_as(null);
select throws_ok($$select pg_temp.answered('Betula')$$, 'QM403', null, 'nobody asks without a principal');

select * from finish();
rollback;
