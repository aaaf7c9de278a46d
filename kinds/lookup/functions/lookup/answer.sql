-- lookup.answer: finds the rows to which a query may refer, best first, each with the probability that it, of all rows and
-- of none, is the right one. It computes the probabilities of the results of search.search, removes the results below the
-- threshold of the table, and marks the match, if there is one.
-- The score of a row is the score of its best name. Rows that the query cannot tell apart are one answer
-- (lookup.answer_key): several names that an abbreviation fits share its probability, and rows with the same name count
-- once. The probability of the first answer is logistic in its odds (a softmax over all answers and the answer "none of
-- them", whose score is 0) and its features (after Platt, Probabilistic Outputs for Support Vector Machines, 1999). The
-- other answers and "none of them" share the rest by their softmax. So the probabilities of all answers and of "none of
-- them" add up to 1.
-- Retired rows compete like all others, because their names are taken: if the query names a retired row, no other row is
-- the answer. All probabilities are computed before the limit cuts the list.
-- A match needs a probability, a gap, and a query that can tell: a part of a longer word, a number that differs, a word
-- of at most four letters and digits, the names of two rows, a text that denies the name or adds to it
-- (lookup.leaves_open), and a bare number that is the id of a row are no match unless a row has exactly this name (or
-- these initials). For a single letter, marks and accents count: C is not °C.
-- If the table has vectors and the query has none, this database computes a vector for the query if it can; otherwise
-- the query is answered without a vector.
-- The function runs with the rights of its owner (security definer), because it reads rows and names without applying a
-- policy to each of them; search.search leaves out tables and names that the caller may not see.
create or replace function lookup.answer(
    p_table_id integer,
    p_query text,
    p_limit integer,
    p_candidates integer,
    p_language text,
    p_active_only boolean,
    p_domain text,
    p_properties jsonb,
    p_strict boolean,
    p_threshold real,
    p_explain boolean,
    p_vector ext.vector default null,
    p_semantic integer default 30,
    p_least real default null,
    p_tells_retired boolean default false
)
returns table (
    rank integer, id text, value text, name text, score real, match boolean, language text, active boolean, scores jsonb
)
language plpgsql
stable parallel unsafe security definer
rows 20
set search_path = pg_catalog, pg_temp
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan -- the plan is the same for every query, and planning has a cost
as $function$
declare
    v_key constant text := btrim(p_query);
    v_table lookup.lookup_table;
    v_meaning ext.vector;
    v_learned record;
    v_property integer;
    v_trigram integer;
    v_cosine integer;
    v_alias integer;
    v_semantic integer;
    v_exact integer;
    v_key_places integer[];
    v_doubts integer[];
    v_is_number constant boolean := v_key ~ '^[0-9]+$';
    v_marks constant text := E' \t\n.,;:()[]"''';
    v_label constant text := lookup.normalize(left(p_query, 1000));
    v_is_letter constant boolean := length(btrim(p_query, v_marks)) = 1;
    v_is_short constant boolean := v_label ~ '^[[:alnum:]]{1,4}$' collate core.c_utf8;
    v_is_placeholder constant boolean := lookup.is_placeholder(p_query);
    v_least real;
    v_rivals lookup.rival[];
    v_first lookup.rival;
    v_has_retired boolean;
    v_weight double precision;
    v_odds double precision;
    v_sureness double precision;
    v_by_retired boolean := false;
    v_named bigint[];
    v_beside_first text;
begin
    perform policy.require_principal();
    select t.* into v_table from lookup.lookup_table as t where t.id = p_table_id;
    if v_table.has_vectors then
        v_meaning := lookup.meaning_of(p_query, p_vector);
    end if;
    select w.* into v_learned
    from search.coefficients('lookup', lookup.profiles_of(v_table.name, v_meaning is not null)) as w
    where v_table.id is not null;
    if not found then
        return;
    end if;
    v_property := array_position(v_learned.features, 'property_true');
    v_trigram := array_position(v_learned.features, 'trigram');
    v_cosine := array_position(v_learned.features, 'cosine');
    v_alias := array_position(v_learned.features, 'alias');
    v_semantic := array_position(v_learned.features, 'sem');
    v_exact := array_position(v_learned.features, 'exact');
    v_key_places := array[array_position(v_learned.features, 'abbreviates'), array_position(v_learned.features, 'words_said'), array_position(v_learned.features, 'evidence'), v_property, array_position(v_learned.features, 'property_false')];
    v_doubts := array[array_position(v_learned.features, 'in_word'), array_position(v_learned.features, 'numbers_differ'), array_position(v_learned.features, 'acronym'), array_position(v_learned.features, 'letters_equal')];
    v_least := coalesce(p_threshold, v_table.threshold);

    -- The rows, best first, and the weight of all answers but the first. Rows of one answer follow each other: only the
    -- row with the id can stand apart, and it comes first.
    with best as (
        select distinct on (r.id)
            r.id as row_id,
            r.key,
            r.value,
            c.name,
            r.language,
            r.active,
            r.key = v_key as is_key,
            c.label,
            lookup.answer_key(c.label, f.features, v_key_places) as answer,
            -- The id of a row may be meant, and so may a number that belongs to no row.
            case when r.key = v_key and v_is_number then greatest(f.odds, -1) else f.odds end as score,
            f.features
        from search.search(
            'lookup', p_query, v_meaning, 0, p_semantic, p_candidates, 0, '{1, 1, 1}', 'learned',
            jsonb_build_object(
                'table', p_table_id, 'language', p_language, 'active_only', false, 'domain', p_domain, 'properties', p_properties
            ), v_learned.score
        ) as f
        inner join search.card as c on c.id = f.card_id
        inner join lookup.lookup_name as n on n.id = c.ref
        inner join lookup.lookup_row as r on r.id = n.row_id
        where not p_strict or f.features[v_property] = 1
        order by r.id, f.odds desc, f.card_id
    ),

    grouped as (
        select
            b.*,
            max(b.score) over (partition by b.answer) as answer_score,
            count(*) filter (where b.is_new_label) over (partition by b.answer) as names
        from (
            select x.*, lag(x.label) over (partition by x.answer order by x.label) is distinct from x.label as is_new_label
            from best as x
        ) as b
    ),

    place as (
        select
            row_number() over best_first as position,
            g.answer <> first_value(g.answer) over best_first
            and g.answer <> coalesce(lag(g.answer) over best_first, '') as begins_other,
            g.answer_score,
            g.active,
            (
                g.row_id, g.key, g.value, g.name, g.language, g.active, g.is_key, g.label, g.answer, g.answer_score, g.names, g.features
            )::lookup.rival as rival
        from grouped as g
        window best_first as (
            order by (g.is_key and not v_is_number) desc, g.answer_score desc, g.answer, g.score desc, g.row_id
        )
    )

    select
        array_agg(p.rival order by p.position),
        coalesce(sum(exp(least(p.answer_score, 60))) filter (where p.begins_other), 0) + 1,
        bool_or(not p.active)
    into v_rivals, v_weight, v_has_retired
    from place as p;
    if v_rivals is null then
        return;
    end if;

    v_first := v_rivals[1];
    if v_first.is_key and not v_is_number then
        v_sureness := 1; -- the id of a row says which one is meant
    elsif v_first.is_key and v_first.features[v_exact] <> 1 then
        v_sureness := 0.3; -- a bare number may be an id, or a number of something else
    else
        v_odds := greatest(-10, least(12, v_first.answer_score - ln(v_weight)));
        v_sureness := 0.9999 / (1 + exp(
            (v_first.features::ext.vector operator(ext.<#>) v_learned.confidence_weights::ext.vector)
            - v_learned.confidence_intercept - v_learned.confidence_place[1] * v_odds
            - v_learned.confidence_place[2] * v_odds ^ 2 - v_learned.confidence_place[3] * greatest(v_odds - 3, 0)
        ));
    end if;

    -- A retired row is named if no active row has this name: letter by letter, or else after normalisation.
    if p_active_only and v_has_retired then
        select coalesce(bool_and(not k.active), false), array_agg(k.row_id)
        into v_by_retired, v_named
        from (select n.*, max(n.named) over () as most from (
            select
                r.row_id,
                r.active,
                case
                    when lower(btrim(r.name) collate core.c_utf8) = lower(v_key collate core.c_utf8) then 3
                    when r.features[v_exact] = 1 then 2
                    when r.answer = v_first.answer and v_sureness >= v_table.threshold then 1
                    else 0
                end as named
            from unnest(v_rivals) as r
        ) as n) as k
        where k.named = k.most and k.most > 0;
    end if;

    -- The query holds the whole name of the first row, and what is beside it may hold the name of another one.
    if strpos(v_first.label, ' ') > 0 and strpos(' ' || v_label || ' ', ' ' || v_first.label || ' ') > 0 then
        v_beside_first := replace(' ' || v_label || ' ', ' ' || v_first.label || ' ', '  ');
    end if;

    return query
    with ranked as (
        select
            r.*,
            r.is_key and not v_is_number as is_id,
            r.features[v_exact] = 1 as is_exact,
            min(
                case when r.answer = v_first.answer then v_sureness else (1 - v_sureness) * exp(least(r.answer_score, 60)) / v_weight end / r.names
            ) over (order by r.position) as probability
        from unnest(v_rivals) with ordinality as r (
            row_id, key, value, name, language, active, is_key, label, answer, answer_score, names, features, position
        )
    ),

    compared as (
        select
            k.*,
            bool_or(k.features[v_doubts[1]] = 1) over best_first as in_word,
            v_beside_first is not null
            and bool_or(strpos(k.label, ' ') > 0 and strpos(v_beside_first, ' ' || k.label || ' ') > 0) over best_first as names_two,
            row_number() over best_first as rank,
            max(k.probability) over best_first as first,
            coalesce(lead(k.probability) over best_first, 0) as second
        from ranked as k
        where case when v_by_retired then p_tells_retired and k.row_id = any(v_named) else k.active or not p_active_only end
            and (k.is_exact or k.is_id or not v_is_placeholder)
        window best_first as (order by k.position rows between unbounded preceding and unbounded following)
    )

    select
        c.rank::integer,
        c.key,
        c.value,
        c.name,
        c.probability::real,
        c.rank = 1
        and not v_by_retired
        and c.probability >= greatest(v_least, 0.5)
        and c.first - c.second >= v_table.gap
        and (
            c.is_id
            or c.is_exact and (not v_is_letter or lower(btrim(c.name, v_marks) collate core.c_utf8) = lower(btrim(p_query, v_marks) collate core.c_utf8))
            or not (v_is_letter or c.is_key and v_is_number or c.in_word or c.names_two or c.features[v_doubts[2]] = 1)
            and not (v_is_short and not (c.features[v_doubts[3]] = 1 or c.features[v_doubts[4]] = 1))
            and not lookup.leaves_open(p_query, c.name)
        ),
        c.language,
        c.active,
        jsonb_build_object(
            'trgm', round(c.features[v_trigram]::numeric, 4),
            'cosine', round(c.features[v_cosine]::numeric, 4),
            'alias', c.features[v_alias] = 1,
            'property', round(c.features[v_property]::numeric, 4),
            'gap', round((c.probability - case when c.rank = 1 then c.second else c.first end)::numeric, 4)
        )
        || case when p_language <> '' then jsonb_build_object('language', c.language = p_language) else '{}' end
        || case
            when v_table.has_vectors
                then jsonb_build_object('sem', case when v_meaning is not null then round(c.features[v_semantic]::numeric, 4) end)
            else '{}'
        end
        || case
            when p_explain then jsonb_build_object(
                'features', (
                    select coalesce(jsonb_object_agg(e.key, e.value), '{}')
                    from jsonb_each(
                        search.explain_score('lookup', c.features, '{1, 1, 1}', lookup.profiles_of(v_table.name, v_meaning is not null))
                    ) as e
                    where (e.value ->> 'value')::numeric <> 0
                ),
                'vectors', case when not v_table.has_vectors then 'off' when v_meaning is null then 'query not embedded' else 'compared' end
            )
            else '{}'
        end
    from compared as c
    where c.rank <= p_limit and (c.first >= v_least or c.probability >= p_least or v_by_retired)
    order by c.rank;
end
$function$;
comment on function lookup.answer(integer, text, integer, integer, text, boolean, text, jsonb, boolean, real, boolean, ext.vector, integer, real, boolean) is
'Finds the rows to which a query may refer, best first, each with the probability that the row is the right one. '
'Arguments: p_table_id: id of the lookup table; p_query: the query; p_limit: maximum number of rows; p_candidates: '
'number of candidates to find by trigrams; p_language: preferred language; p_active_only: true to return only active '
'rows; p_domain: domain of the rows (null: any domain); p_properties: requested properties; p_strict: true to exclude '
'rows without these properties; p_threshold: threshold for the probability of the first row (null: the threshold of '
'the table); p_explain: true to explain the scores; p_vector: vector of the query (null: no vector); p_semantic: '
'number of candidates to find by the vector; p_least: lowest probability of a returned row if no row reaches the '
'threshold (null: no such rows); p_tells_retired: true to return a retired row that the query names, with the columns '
'active and match false. Returns the same columns as api.search_lookup. Rows of tables that the caller may not see are '
'not found; lookup.require_table tells such a caller that there is no such table.';
grant execute on function lookup.answer to qm_reader;
