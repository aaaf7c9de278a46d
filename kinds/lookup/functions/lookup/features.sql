-- lookup.features: one statement computes the features of about twenty names. It compares short texts by trigrams and
-- looks up values in arrays, but reads no table. "offset 0" makes the planner compute a lateral subquery once. Without
-- "offset 0", PostgreSQL would compute the subquery for each use of its columns.
-- The features follow in groups (sql/kinds/lookup.sql contains their order). Query and name are compared in their
-- normalised form. A feature that is described by a statement is 1 if the statement is true, otherwise 0.
-- Common trigrams and words, weighted by inverse document frequency: "cosine"; "query_share" and "name_share" (their
-- share of the query and of the name); "short_query" ("query_share" if the query is a single word).
-- Shares of the query's words, with the same weights: "words_said" (words of the name); "words_begun" (words of the
-- name, or beginnings of such words); "evidence" (words that occur only in the row's properties). Not weighted:
-- "initials" (words of at most three letters that begin a word of the name); "name_words" (share of the name's words
-- that are words of the query, or beginnings of such words). "unexplained": the share of the query that is not in the
-- row, times the share of the name that is not in the query.
-- Trigram similarities: "trigram" (query and name); "in_name" (the query and the most similar part of the name);
-- "in_query" (the name and the most similar part of the query); "first_similar" and "second_similar" (the first and the
-- second words); "second_near" (the second word of the query and the most similar of the next words of the name);
-- "both_similar" (the product of "first_similar" and "second_similar").
-- The whole name: "exact" (it is the query); "verbatim" (the value of the row is the query, before both are
-- normalised); "letters_equal" (equal without spaces); "stem_equal" (equal after lookup.stem); "short_equal" (equal
-- after lookup.short_form); "begins" (the name is the query and further words); "continues" (the query is the name and
-- further words); "acronym" (the query is the initials of the name); "alias" (the name is an alias); "one_word_name"
-- and "one_word_query" (a single word); "repeated" (the query contains a word twice, and so does the name);
-- "length_ratio" (logarithm of the length of the query divided by that of the name).
-- The first or the second word: "first_equal" and "second_equal"; "first_stem" and "second_stem" (equal after
-- lookup.stem); "first_begun" (the first word of the query is only the beginning of the name's first word);
-- "initial_fits" (the query begins with an abbreviation such as "B.", and the name with the same letter); "first_other"
-- and "first_unknown" (the first words differ, and the query's first word is a word of another name, or of no name in
-- the table).
-- A moved name (the first words differ, but the second word is the same): "moved_known" and "moved_unknown" (the
-- query's first word is a word of another name, or of no name in the table); "moved_evidence" (how much of the query is
-- in the row's properties); "moved_kin" (share of the properties of a row with the query's first word that this row
-- has, too). Numbers: "numbers_found" (share of the query's numbers that are in the name); "numbers_unsaid" (share of
-- the name's numbers that are not in the query); "numbers_missing" (share of the query's numbers that are neither in
-- the name nor in the row's properties).
-- The row: "property_true" and "property_false" (share of the requested properties that the row has, or does not have);
-- "language" (the row has the preferred language).
-- Names that end in "_half" or "_high": by how much the other feature exceeds 0.5 or 0.8 ("words_begun_high": 0.9).
-- "sem": the cosine of the vectors of query and name; for a name without a vector, the mean of the other names; 0 if
-- the query has no vector.
-- Queries that may say too little: "abbreviates" (each word of the query is the beginning of the name's word in the
-- same place, and some words are cut short; 1: the name has no other words; 0.5: it has other words; 0.25: only the
-- first word is cut short, and the query has further words); "in_word" (the query, or the taxonomic rank at its end,
-- such as "var", is only a part of a longer word of the name); "numbers_differ" (the numbers contradict each other, see
-- lookup.compare_numbers); "brief" (the query has at most three letters and is not the name); "letters_few" (the fewer
-- letters the query has, the higher the value); "first_only" (the first words are equal; the less similar the second
-- words, the higher the value).
create or replace function lookup.features(
    p_question lookup.question, p_card_ids bigint[], p_limit integer, p_active_only boolean, p_domain text
)
returns table (card_id bigint, label text, features real[])
language plpgsql
stable parallel unsafe security invoker
rows 25
set search_path = pg_catalog, pg_temp
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan -- the plan is the same for every query, and planning has a cost
as $function$
declare
    v_label constant text := p_question.label;
    v_letters constant text := replace(v_label, ' ', '');
    v_verbatim constant text := lower(btrim(p_question.text) collate core.c_utf8);
    v_language constant text := p_question.language;
    v_words constant text[] := p_question.words;
    v_word_weights constant real[] := p_question.word_weights;
    v_words_most constant real := p_question.words_most::real;
    v_known constant boolean := p_question.is_known;
    v_several constant boolean := cardinality(v_words) > 1;
    v_first constant text := coalesce(v_words[1], '');
    v_second constant text := coalesce(v_words[2], '');
    v_short constant text := p_question.short;
    v_stem constant text := p_question.stem;
    v_first_stem constant text := split_part(v_stem, ' ', 1);
    v_second_stem constant text := split_part(v_stem, ' ', 2);
    v_initial constant boolean := p_question.text ~ '^\s*\w{1,4}\.' collate core.c_utf8;
    -- A rank is no beginning of a word: Haliplus sp. is not short for Haliplus sparsus.
    v_rank constant text := substring(v_label from ' (sp|spp|ssp|subsp|var|cf|aff|agg|indet)$');
    -- Every name that fits v_begun is like v_alike, which PostgreSQL need not compile for each query.
    v_alike constant text := array_to_string(v_words, '% ') || '%';
    v_begun constant text := '^' || array_to_string(v_words, '[^ ]* ')
    || case when v_rank is null then '[^ ]*' else '' end;
    v_facts constant text[] := p_question.facts;
    v_candidates lookup.candidate[];
    v_numbers double precision[];
    v_repeating integer[]; -- 1: a word of the name occurs twice
    v_fitting real[]; -- share of the requested properties that the row has
    v_semantic double precision; -- of a name without a vector: the mean of the others
begin
    v_candidates := array(select p from lookup.glance(p_question, p_card_ids, p_limit, p_active_only, p_domain) as p);
    -- Numbers, repeated words and properties are compared only if the query has some, because even a subquery that
    -- finds nothing takes time.
    if v_label ~ '[0-9]' or p_question.text ~ '[0-9]' then
        v_numbers := lookup.compare_numbers(p_question, v_candidates);
    end if;
    if p_question.repeats then
        v_repeating := lookup.repeating(v_candidates);
    end if;
    if p_question.meaning is not null then
        v_semantic := (select avg(c.semantic) from unnest(v_candidates) as c);
    end if;
    if v_facts is not null then
        v_fitting := lookup.fitting(v_candidates, v_facts);
    end if;
    return query
    with candidate as materialized (
        select
            p.*,
            coalesce(p.words[1], '') as first,
            coalesce(p.words[2], '') as second,
            greatest(cardinality(p.words), 1) as count
        from unnest(v_candidates) with ordinality as p
    ),

    -- If no row has exactly this name, the properties of a row with the same first word are used. A property counts
    -- only if fewer than half of the rows with another first word have the same property.
    kin as materialized (
        select
            array(
                select f.fact
                from unnest(k.facts) as f (fact)
                where (
                    select 2 * count(*) filter (where f.fact = any(o.facts)) < count(*)
                    from candidate as o
                    where o.first <> v_first
                )
            ) as facts
        from candidate as k
        where k.first = v_first
            and k.facts <> '{}'
            and not exists (
                select from candidate as o where o.first = v_first and split_part(o.stem, ' ', 2) = v_second_stem
            )
        order by k.card_id
        limit 1
    )

    select
        c.card_id,
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
                when v_several then greatest(
                    g.second_similar, ext.similarity(c.words[3], v_second), ext.similarity(c.words[4], v_second)
                )
                else 0
            end,
            coalesce(v_numbers[c.ordinality][1], 0),
            coalesce(v_numbers[c.ordinality][2], (c.label ~ '[0-9]')::integer),
            coalesce(v_numbers[c.ordinality][3], 0),
            c.is_alias::integer,
            w.evidence / v_words_most,
            coalesce(v_fitting[c.ordinality], 0),
            coalesce(1 - v_fitting[c.ordinality], 0),
            (c.short = v_short)::integer,
            (c.stem = v_stem)::integer,
            (v_several and starts_with(c.label, v_label || ' '))::integer,
            starts_with(v_label, c.label || ' ')::integer,
            case when c.label = v_label then 1 else ext.word_similarity(v_label, c.label) end,
            case when c.label = v_label then 1 else ext.word_similarity(c.label, v_label) end,
            (split_part(c.stem, ' ', 1) = v_first_stem)::integer,
            (v_several and split_part(c.stem, ' ', 2) = v_second_stem)::integer,
            (g.other and not v_known and not starts_with(c.first, v_first))::integer,
            (g.other and v_known)::integer,
            (not v_several)::integer,
            (c.count = 1)::integer,
            ln((1 + length(v_label)) / (1 + length(c.label))::double precision),
            case when v_language is null or c.language = '' then 0 else (v_language = c.language)::integer end,
            (lower(c.value collate core.c_utf8) = v_verbatim)::integer,
            (replace(c.label, ' ', '') = v_letters)::integer,
            (v_initial and left(c.first, 1) = left(v_first, 1))::integer,
            (1 - least(g.words_begun + w.evidence / v_words_most, 1)) * (1 - s.matched / c.count),
            w.initials,
            coalesce(c.initials in (v_letters, v_first), false)::integer,
            (g.moved and v_known)::integer,
            (g.moved and not v_known)::integer,
            case when g.moved then least(3 * w.evidence / v_words_most, 1) else 0 end,
            case when g.moved then coalesce(e.shared, 0) else 0 end,
            coalesce(v_repeating[c.ordinality], 0),
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
            coalesce(c.semantic, v_semantic, 0),
            case
                when not v_several or starts_with(c.label || ' ', v_label || ' ') then 0
                when c.label like v_alike and c.label ~ (v_begun || '$' collate core.c_utf8) then 1
                when c.label like v_alike and c.label ~ (v_begun || ' ' collate core.c_utf8) then 0.5
                when c.first <> v_first and starts_with(c.first, v_first) and c.second = v_second then 0.25
                else 0
            end,
            (
                not v_several and v_first <> all(c.words) and strpos(c.label, v_first) > 0
                or coalesce(v_rank <> all(c.words) and strpos(' ' || c.label, ' ' || v_rank) > 0, false)
            )::integer,
            coalesce(v_numbers[c.ordinality][4], 0),
            (length(v_letters) <= 3 and c.label <> v_label)::integer,
            1.0 / (1 + length(v_letters)),
            case
                when v_several and c.first = v_first and c.count > 1 then greatest(0.5 - g.second_similar, 0) else 0
            end
        ]::real[]
    from candidate as c
    cross join lateral (
        select
            coalesce(sum(y.weight) filter (where y.is_said), 0)::real as said,
            coalesce(sum(y.weight) filter (where y.is_begun), 0)::real as begun,
            coalesce(
                sum(y.weight) filter (where not y.is_begun and strpos(c.evidence, ' ' || y.word) > 0), 0
            )::real as evidence,
            coalesce(avg((y.is_begun and length(y.word) <= 3)::integer), 0)::real as initials
        from (
            -- If two words are equal, they also count as words with an equal beginning.
            select
                q.word,
                q.weight,
                q.word = any(c.words) as is_said,
                strpos(
                    ' ' || c.label || ' ', ' ' || q.word || case when q.word = v_rank then ' ' else '' end
                ) > 0 as is_begun
            from (select unnest(v_words) as word, unnest(v_word_weights) as weight) as q
        ) as y
    ) as w
    cross join lateral (
        select
            -- A text without letters and digits, such as %, has no trigrams.
            case when c.label = v_label then 1 else ext.similarity(c.label, v_label) end as trigram,
            case when c.first = v_first then 1 else ext.similarity(c.first, v_first) end as first_similar,
            case when v_several then ext.similarity(c.second, v_second) else 0 end as second_similar,
            w.begun / v_words_most as words_begun,
            c.first <> v_first as other,
            c.first <> v_first
            and length(v_second_stem) > 2
            and v_second_stem = any((string_to_array(c.stem, ' '))[2:3]) as moved
        offset 0
    ) as g
    cross join lateral (
        select least(count(*) filter (where strpos(' ' || v_label, ' ' || x.word) > 0), c.count)::real as matched
        from (select unnest(c.words[1:24]) as word) as x
    ) as s
    left join lateral (
        select count(*) filter (where x.fact = any(c.facts)) / cardinality(k.facts)::real as shared
        from kin as k
        cross join unnest(k.facts) as x (fact)
        where g.moved
        group by k.facts
    ) as e on true;
end
$function$;
comment on function lookup.features(lookup.question, bigint[], integer, boolean, text) is
'Computes the feature set "names" for each candidate of a query. The function lookup.glance chooses these candidates. '
'Arguments: p_question: the query; p_card_ids, p_limit, p_active_only and p_domain: the same as the arguments of '
'lookup.glance. Returns the features in the order of search.feature_names(''lookup'').';
