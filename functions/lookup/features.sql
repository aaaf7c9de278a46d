-- lookup.features: names that a query may mean, and what the learned score looks at for each.
-- One statement over some twenty names: trigram similarities of short texts, look-ups in arrays, nothing that reads the table.
-- What a lateral subquery says is computed once: without "offset 0" the planner would write it out wherever it is used.
-- Only lookup.match and lookup.examples call it, for tables that may be seen.
create or replace function lookup.features(
    p_table_id integer,
    p_query text,
    p_limit integer,
    p_language text,
    p_active_only boolean,
    p_domain text,
    p_properties jsonb,
    p_meaning ext.vector default null,
    p_semantic integer default 30
)
returns table (row_id bigint, card_id bigint, key text, label text, features real[])
language plpgsql
stable parallel unsafe security invoker
rows 60
set search_path = pg_catalog, pg_temp
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan -- the plan is the same for every query, and planning it is not free
as $function$
#variable_conflict use_column
declare
    v_label constant text := btrim(left(lookup.normalize(left(p_query, 1000)), 400));
    v_letters constant text := replace(v_label, ' ', '');
    v_verbatim constant text := lower(btrim(p_query));
    v_words constant text[] := (string_to_array(v_label, ' '))[1:24];
    v_several constant boolean := cardinality(v_words) > 1;
    v_first constant text := coalesce(v_words[1], '');
    v_second constant text := coalesce(v_words[2], '');
    v_short constant text := lookup.short_form(v_label);
    v_stem constant text := lookup.stem(v_label);
    v_first_stem constant text := split_part(v_stem, ' ', 1);
    v_second_stem constant text := split_part(v_stem, ' ', 2);
    v_initial constant boolean := p_query ~ '^\s*\w{1,4}\.';
    v_numbers constant text[] := array(select distinct m.parts[1] from regexp_matches(v_label, '[0-9]+', 'g') as m (parts));
    v_repeats constant boolean := cardinality(v_words) > (select count(distinct w.word) from unnest(v_words) as w (word));
    v_facts constant text[] := nullif(lookup.facts(p_properties), '{}');
    v_asked constant real := (select count(distinct split_part(f.fact, '=', 1)) from unnest(v_facts) as f (fact));
    v_names integer;
    v_vector ext.sparsevec;
    v_term_ids integer[];
    v_weights real[];
    v_most real; -- idf of the whole query
    v_word_weights real[];
    v_words_most real;
    v_known boolean;
    v_model_id constant integer := (select m.id from search.model as m where m.active and p_meaning is not null);
begin
    select t.names into v_names from lookup.lookup_table as t where t.id = p_table_id;
    -- The rarest lexemes, so many that some 2,500 names have one of them, find the same names as all (measured); the score looks at all.
    select
        ('{' || coalesce(string_agg(t.id || ':' || t.weight, ',' order by t.id) filter (where t.id is not null), '') || '}/1000000000')::ext.sparsevec,
        array_agg(t.id) filter (where t.rarer < 4 or t.names <= 2500),
        array_agg(t.weight) filter (where t.rarer < 4 or t.names <= 2500),
        coalesce(sum(t.weight), 1)
    into v_vector, v_term_ids, v_weights, v_most
    from (
        select
            x.id,
            ln(1 + v_names / coalesce(x.cards, 0.7)::double precision)::real as weight,
            row_number() over rarest - 1 as rarer,
            sum(x.cards) over rarest as names
        from unnest(search.name_lexemes(p_table_id::text, v_label)) as l (lexeme)
        left join search.term as x on x.kind = 'lookup' and x.lexeme = l.lexeme and x.cards > 0
        window rarest as (order by x.cards, x.id rows between unbounded preceding and current row)
    ) as t;
    select
        array_agg(ln(1 + v_names / coalesce(t.cards, 0.7)::double precision)::real order by w.position),
        coalesce(bool_or(w.position = 1 and t.id is not null), false)
    into v_word_weights, v_known
    from unnest(v_words) with ordinality as w (word, position)
    left join search.term as t on t.kind = 'lookup' and t.lexeme = p_table_id || '=' || w.word and t.cards > 0;
    v_words_most := (select coalesce(sum(w.weight), 1) from unnest(v_word_weights) as w (weight));

    return query
    with met as materialized (
        select distinct f.card_id
        from lookup.find_names(
            p_table_id, p_query, v_label, v_term_ids, v_weights, v_vector, v_most, p_limit, v_facts, p_meaning, p_semantic
        ) as f
    ),

    -- What looks best at a glance is looked at closely.
    candidate as materialized (
        select
            m.card_id,
            r.id as row_id,
            r.key,
            r.value,
            r.language,
            r.evidence,
            r.facts,
            n.is_alias,
            n.short,
            n.stem,
            n.initials,
            k.label,
            k.name_lexemes as words,
            coalesce(k.name_lexemes[1], '') as first,
            coalesce(k.name_lexemes[2], '') as second,
            greatest(cardinality(k.name_lexemes), 1) as count,
            o.cosine,
            o.query_share,
            o.name_share,
            e.sem
        from met as m
        inner join search.card as k on k.id = m.card_id
        inner join search.lexical as l on l.card_id = m.card_id
        inner join lookup.lookup_name as n on n.id = k.ref
        inner join lookup.lookup_row as r on r.id = n.row_id
        cross join lateral (
            select
                v.overlap / sqrt(v_most * v.length) as cosine,
                v.overlap / v_most as query_share,
                v.overlap / v.length as name_share
            from (select -(l.weights operator(ext.<#>) v_vector) as overlap, greatest(l.length, 1) as length offset 0) as v
            offset 0
        ) as o
        left join lateral (
            select 1 - (x.vector operator(ext.<=>) p_meaning) as sem
            from search.embedding as x
            where p_meaning is not null and x.model_id = v_model_id and x.kind = 'lookup' and x.text_hash = k.text_hash
        ) as e on true
        where policy.is_visible(k.rights_class, (select policy.visible_classes()))
            and (
                not n.is_alias
                -- A row is seen where its value is.
                or exists (
                    select
                    from lookup.lookup_name as o
                    inner join search.card as v on v.kind = 'lookup' and v.ref = o.id
                    where o.row_id = r.id and not o.is_alias and policy.is_visible(v.rights_class, (select policy.visible_classes()))
                )
            )
            and (r.active or not p_active_only)
            and (p_domain is null or r.domain = p_domain)
        order by
            o.cosine
            + o.query_share / 2
            + 0.3 * ((n.short = v_short)::integer + (n.stem = v_stem)::integer + coalesce(n.second = v_second_stem, false)::integer)
            + coalesce(n.initials in (v_letters, v_first), false)::integer
            + coalesce(r.facts @> v_facts, false)::integer
            + 2 * (r.key = btrim(p_query))::integer
            + coalesce(e.sem, 0) desc,
            m.card_id
        limit 2 + 2 * p_limit / 3 + case when p_meaning is null then 0 else p_semantic / 3 end
    ),

    -- A neighbour of the name, unless the name itself is there; of its facts those that fewer than half of the others have.
    kin as materialized (
        select
            array(
                select f.fact
                from unnest(k.facts) as f (fact)
                where (select 2 * count(*) filter (where f.fact = any(o.facts)) < count(*) from candidate as o where o.first <> v_first)
            ) as facts
        from candidate as k
        where k.first = v_first
            and k.facts <> '{}'
            and not exists (select from candidate as o where o.first = v_first and split_part(o.stem, ' ', 2) = v_second_stem)
        order by k.card_id
        limit 1
    )

    select
        c.row_id,
        c.card_id,
        c.key,
        c.label,
        array[
            c.cosine,
            c.query_share,
            c.name_share,
            g.trigram,
            (c.label = v_label)::integer,
            w.said / v_words_most,
            g.words_begun,
            s.matched / c.count,
            (c.first = v_first)::integer,
            (c.first <> v_first and starts_with(c.first, v_first))::integer,
            g.first_similar,
            g.second_similar,
            (v_several and c.second = v_second)::integer,
            case
                when v_several then coalesce((select max(ext.similarity(x.word, v_second)) from unnest(c.words[2:4]) as x (word)), 0)
                else 0
            end,
            case
                when v_numbers = '{}' or u.numbers = '{}' then 0
                else (select count(*) filter (where x.number = any(v_numbers)) / cardinality(v_numbers)::real from unnest(u.numbers) as x (number))
            end,
            case
                when u.numbers = '{}' then 0
                else (select avg((x.number <> all(v_numbers))::integer) from unnest(u.numbers) as x (number))
            end,
            case
                when v_numbers = '{}' then 0
                else (select avg((strpos(' ' || c.label || c.evidence, ' ' || x.number) = 0)::integer) from unnest(v_numbers) as x (number))
            end,
            c.is_alias::integer,
            w.evidence / v_words_most,
            coalesce(f.fitting / nullif(v_asked, 0), 0),
            coalesce(1 - f.fitting / nullif(v_asked, 0), 0),
            (c.short = v_short)::integer,
            (c.stem = v_stem)::integer,
            (v_several and starts_with(c.label, v_label || ' '))::integer,
            starts_with(v_label, c.label || ' ')::integer,
            ext.word_similarity(v_label, c.label),
            ext.word_similarity(c.label, v_label),
            (split_part(c.stem, ' ', 1) = v_first_stem)::integer,
            (v_several and split_part(c.stem, ' ', 2) = v_second_stem)::integer,
            (m.other and not v_known and not starts_with(c.first, v_first))::integer,
            (m.other and v_known)::integer,
            (not v_several)::integer,
            (c.count = 1)::integer,
            ln((1 + length(v_label)) / (1 + length(c.label))::double precision),
            case when p_language is null or c.language = '' then 0 else (p_language = c.language)::integer end,
            (lower(c.value) = v_verbatim)::integer,
            (replace(c.label, ' ', '') = v_letters)::integer,
            (v_initial and left(c.first, 1) = left(v_first, 1))::integer,
            (1 - least(g.words_begun + w.evidence / v_words_most, 1)) * (1 - s.matched / c.count),
            w.initials,
            coalesce(c.initials in (v_letters, v_first), false)::integer,
            (m.moved and v_known)::integer,
            (m.moved and not v_known)::integer,
            case when m.moved then least(3 * w.evidence / v_words_most, 1) else 0 end,
            case when m.moved then coalesce(e.shared, 0) else 0 end,
            (v_repeats and c.count > (select count(distinct x.word) from unnest(c.words) as x (word)))::integer,
            g.first_similar * case when v_several then g.second_similar else 1 end,
            case when v_several then 0 else c.query_share end,
            greatest(c.cosine - 0.5, 0),
            greatest(c.cosine - 0.8, 0),
            greatest(g.trigram - 0.5, 0),
            greatest(g.trigram - 0.8, 0),
            greatest(c.query_share - 0.5, 0),
            greatest(c.query_share - 0.8, 0),
            greatest(c.name_share - 0.5, 0),
            greatest(c.name_share - 0.8, 0),
            greatest(g.words_begun - 0.5, 0),
            greatest(g.words_begun - 0.9, 0),
            greatest(g.first_similar - 0.5, 0),
            greatest(g.second_similar - 0.5, 0),
            -- A name that has no vector yet is as near as the others are.
            case when p_meaning is null then 0 else coalesce(c.sem, (select avg(x.sem) from candidate as x), 0) end
        ]::real[]
    from candidate as c
    cross join lateral (
        select
            coalesce(sum(y.weight) filter (where y.is_said), 0)::real as said,
            coalesce(sum(y.weight) filter (where y.is_said or y.is_begun), 0)::real as begun,
            coalesce(sum(y.weight) filter (where not y.is_said and not y.is_begun and strpos(c.evidence, ' ' || y.word) > 0), 0)::real as evidence,
            coalesce(avg((y.is_begun and length(y.word) <= 3)::integer), 0)::real as initials
        from (
            select q.word, q.weight, q.word = any(c.words) as is_said, strpos(' ' || c.label, ' ' || q.word) > 0 as is_begun
            from (select unnest(v_words) as word, unnest(v_word_weights) as weight) as q
        ) as y
    ) as w
    cross join lateral (
        select
            ext.similarity(c.label, v_label) as trigram,
            ext.similarity(c.first, v_first) as first_similar,
            case when v_several then ext.similarity(c.second, v_second) else 0 end as second_similar,
            w.begun / v_words_most as words_begun
        offset 0
    ) as g
    cross join lateral (
        select least(count(*) filter (where x.word = any(v_words) or strpos(' ' || v_label, ' ' || x.word) > 0), c.count)::real as matched
        from (select unnest(c.words[1:24]) as word) as x
    ) as s
    cross join lateral (
        select
            case
                when c.label ~ '[0-9]' then array(select distinct h.parts[1] from regexp_matches(c.label, '[0-9]+', 'g') as h (parts))
                else '{}'
            end as numbers
        offset 0
    ) as u
    cross join lateral (
        select
            c.first <> v_first as other,
            c.first <> v_first and length(v_second_stem) > 2 and v_second_stem = any((string_to_array(c.stem, ' '))[2:3]) as moved
        offset 0
    ) as m
    cross join lateral (
        select count(distinct split_part(x.fact, '=', 1))::real as fitting from unnest(v_facts) as x (fact) where x.fact = any(c.facts)
    ) as f
    left join lateral (
        select count(*) filter (where x.fact = any(c.facts)) / cardinality(k.facts)::real as shared
        from kin as k
        cross join unnest(k.facts) as x (fact)
        where m.moved
        group by k.facts
    ) as e on true;
end
$function$;
comment on function lookup.features(integer, text, integer, text, boolean, text, jsonb, ext.vector, integer) is
'Arguments: table; query; candidates by trigrams; language preferred; whether only active rows; domain, null for any; properties asked for; vector of the query, or null, and candidates by it. Returns names with their features, in the order of lookup.feature_names().';
