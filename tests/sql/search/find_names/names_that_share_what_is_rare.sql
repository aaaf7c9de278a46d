begin;
select plan(4);

select search.put_kind('fruit', 'made for a test', p_index_type => 'names');
select search.put_cards('fruit', (
    select jsonb_agg(jsonb_build_object('ref', n.place, 'name', n.name, 'label', n.name, 'origin', 'one'))
    from unnest('{apple tart,apple,apple pie with cream,pear tart}'::text[]) with ordinality as n (name, place)
));
create function pg_temp.found(p_query text, p_limit integer default 5) returns bigint[] language sql as $$
    with part as (
        select x.id, ln(1 + 4 / x.cards::double precision)::real as weight
        from unnest(search.name_lexemes('one', p_query)) as l (lexeme)
        inner join search.term as x on x.kind = 'fruit' and x.lexeme = l.lexeme
    )
    select array_agg(t.ref_of(f.card_id) order by f.place)
    from (
        select array_agg(p.id) as ids, array_agg(p.weight) as weights, sum(p.weight)::real as most,
            ('{' || string_agg(p.id || ':' || p.weight, ',' order by p.id) || '}/1000000000')::ext.sparsevec as query
        from part as p
    ) as q
    cross join lateral search.find_names(q.ids, q.weights, q.query, q.most, p_limit) with ordinality as f (card_id, place)
$$;
select is(pg_temp.found('apple'), '{2,1,3}', 'the same name, then those with less beside it');
select is((pg_temp.found('cream apple'))[1], 3::bigint, 'what is rare decides, in any order');
select is(pg_temp.found('apple', 1), '{2}', 'no more than asked for');
select is(pg_temp.found('kiwi'), null, 'names that share nothing are not found');

select * from finish();
rollback;
