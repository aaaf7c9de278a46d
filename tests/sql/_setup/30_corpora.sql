-- Random corpora and the plain way to score them: what the engine's answers are compared with.

-- Cards of random words, short words of a vocabulary much more often than late ones; the same for the same seed.
create function t.make_corpus(p_kind text, p_cards integer, p_vocabulary integer, p_seed double precision) returns void
language plpgsql as $$
begin
    perform setseed(p_seed);
    perform search.put_cards(
        p_kind,
        (
            select jsonb_agg(jsonb_build_object('ref', c.ref, 'name', 'card ' || c.ref, 'fields', f.fields))
            from generate_series(1, p_cards) as c (ref)
            cross join lateral (
                select jsonb_agg(w.words order by w.field) as fields
                from (
                    select
                        field,
                        (
                            select string_agg('w' || chr(97 + (floor(p_vocabulary * power(random(), 3))::integer / 26) % 26)
                                || chr(97 + floor(p_vocabulary * power(random(), 3))::integer % 26) || 'x', ' ')
                            from generate_series(1, (c.ref * 0 + field * 0 + 1 + floor(random() * 12))::integer) as n
                        ) as words
                    from generate_series(1, 4) as field
                ) as w
            ) as f
        )
    );
end
$$;

-- A goal of random words of the same vocabulary.
create function t.random_goal(p_vocabulary integer, p_words integer) returns text
language sql volatile as $$
    select string_agg('w' || chr(97 + (floor(p_vocabulary * power(random(), 3))::integer / 26) % 26)
        || chr(97 + floor(p_vocabulary * power(random(), 3))::integer % 26) || 'x', ' ')
    from generate_series(1, p_words);
$$;

-- BM25F of every card that has a token of the goal, counted anew from the documents: no kept weight, no kept frequency.
create function t.naive_bm25(p_kind text, p_goal text)
returns table (card_id bigint, score double precision)
language sql as $$
    with document as materialized (
        select l.card_id, u.lexeme, sum(k.field_weights[ascii(w.field) - 64])::double precision as tf
        from search.lexical as l
        inner join search.kind as k on k.name = l.kind
        cross join unnest(l.document) as u
        cross join unnest(u.weights) as w (field)
        where l.kind = p_kind
        group by l.card_id, u.lexeme
    ),

    length as materialized (
        select l.card_id, coalesce(sum(d.tf), 0) as length
        from search.lexical as l
        left join document as d on d.card_id = l.card_id
        where l.kind = p_kind
        group by l.card_id
    ),

    goal as materialized (
        select q.lexeme, cardinality(q.positions) as times, f.cards
        from unnest(search.tokenize(p_goal)) as q
        cross join lateral (select count(*) as cards from document as d where d.lexeme = q.lexeme) as f
    )

    select
        d.card_id,
        sum(
            g.times * ln(1 + (n.cards - g.cards + 0.5) / (g.cards + 0.5))
            * d.tf * (k.k1 + 1) / (d.tf + k.k1 * (1 - k.b + k.b * l.length / n.average))
        )
    from document as d
    inner join goal as g on g.lexeme = d.lexeme
    inner join length as l on l.card_id = d.card_id
    inner join search.kind as k on k.name = p_kind
    cross join (select count(*)::double precision as cards, avg(x.length) as average from length as x) as n
    group by d.card_id;
$$;

-- Differences between the kept statistics of a kind and a count from its documents; no row where they agree.
create function t.wrong_statistics(p_kind text)
returns table (what text, kept double precision, counted double precision)
language sql as $$
    select coalesce('term ' || k.lexeme, 'missing term ' || c.lexeme), k.cards, c.cards
    from (select s.lexeme, s.cards from search.term as s where s.kind = p_kind and s.cards > 0) as k
    full join (
        select u.lexeme, count(*) as cards
        from search.lexical as l
        cross join unnest(l.document) as u
        where l.kind = p_kind
        group by u.lexeme
    ) as c on c.lexeme = k.lexeme
    where k.cards is distinct from c.cards
    union all
    select 'cards', k.cards, (select count(*) from search.lexical as l where l.kind = p_kind)
    from search.kind as k
    where k.name = p_kind and k.cards <> (select count(*) from search.lexical as l where l.kind = p_kind)
    union all
    select 'total length', k.total_length, c.total
    from search.kind as k
    cross join (
        select coalesce(sum(search.field_length(l.document, x.field_weights)::double precision), 0) as total
        from search.lexical as l
        inner join search.kind as x on x.name = l.kind
        where l.kind = p_kind
    ) as c
    where k.name = p_kind and abs(k.total_length - c.total) > 0.001 * greatest(1, c.total)
    union all
    select 'length of card ' || l.card_id, l.length, search.field_length(l.document, k.field_weights)
    from search.lexical as l
    inner join search.kind as k on k.name = l.kind
    where l.kind = p_kind and l.length <> search.field_length(l.document, k.field_weights)
    union all
    select 'bound of ' || s.lexeme, s.max_weight, m.weight
    from search.term as s
    inner join (
        select u.lexeme, max(k.k1 + 1) as ceiling, max(w.weight) as weight
        from search.lexical as l
        inner join search.kind as k on k.name = l.kind
        cross join unnest(l.document) as u
        inner join search.term as x on x.kind = l.kind and x.lexeme = u.lexeme
        cross join lateral (
            select -(l.weights operator(ext.<#>) format('{%s:1}/1000000000', x.id)::ext.sparsevec) as weight
        ) as w
        where l.kind = p_kind
        group by u.lexeme
    ) as m on m.lexeme = s.lexeme
    where s.kind = p_kind and s.max_weight < m.weight - 0.00001
    union all
    select 'posting of ' || coalesce(p.term_id, d.term_id), p.weight, d.weight
    from (
        select o.term_id, o.block * 2048 + w.position - 1 as card_id, w.weight / s.factor as weight
        from search.posting as o
        inner join search.term as s on s.id = o.term_id and s.kind = p_kind
        cross join unnest(o.weights::ext.vector::real[]) with ordinality as w (weight, position)
        where w.weight <> 0
    ) as p
    full join (
        select x.id as term_id, l.card_id, w.weight
        from search.lexical as l
        cross join unnest(l.document) as u
        inner join search.term as x on x.kind = l.kind and x.lexeme = u.lexeme
        cross join lateral (
            select (-(l.weights operator(ext.<#>) format('{%s:1}/1000000000', x.id)::ext.sparsevec))::real as weight
        ) as w
        where l.kind = p_kind
    ) as d on d.term_id = p.term_id and d.card_id = p.card_id
    where abs(p.weight - d.weight) < 0.00001 is not true;
$$;
