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
    v_weights ext.vector;
    v_property integer;
    v_trigram integer;
    v_cosine integer;
    v_alias integer;
    v_semantic integer;
    v_exact integer;
    v_key_places integer[];
    v_doubts integer[];
    v_is_number constant boolean := v_key ~ '^[0-9]+$';
    v_marks constant text := E' \t\n.,;:()[]"\'';
    v_label constant text := lookup.normalize(left(p_query, 1000));
    v_is_letter constant boolean := length(btrim(p_query, v_marks)) = 1;
    v_is_short constant boolean := v_label ~ '^[[:alnum:]]{1,4}$';
    v_is_placeholder constant boolean := lookup.is_placeholder(p_query);
    v_least real;
begin
    perform policy.require_principal();
    select t.* into v_table
    from lookup.lookup_table as t
    inner join search.card as c on c.kind = 'lookup_table' and c.ref = t.id
    where t.id = p_table_id and policy.is_visible(c.rights_class, (select policy.visible_classes()));
    if v_table.has_vectors then
        v_meaning := lookup.meaning_of(p_query, p_vector);
    end if;
    select w.* into v_learned
    from search.coefficients('lookup', lookup.profiles_of(v_table.name, v_meaning is not null)) as w
    where v_table.id is not null;
    if not found then
        return;
    end if;
    v_weights := v_learned.confidence_weights;
    v_property := array_position(v_learned.features, 'property_true');
    v_trigram := array_position(v_learned.features, 'trigram');
    v_cosine := array_position(v_learned.features, 'cosine');
    v_alias := array_position(v_learned.features, 'alias');
    v_semantic := array_position(v_learned.features, 'sem');
    v_exact := array_position(v_learned.features, 'exact');
    v_key_places := array(
        select array_position(v_learned.features, f.name)
        from unnest('{abbreviates,words_said,evidence,property_true,property_false}'::text[]) with ordinality as f (name, position)
        order by f.position
    );
    v_doubts := array[array_position(v_learned.features, 'in_word'), array_position(v_learned.features, 'numbers_differ'), array_position(v_learned.features, 'acronym'), array_position(v_learned.features, 'letters_equal')];
    v_least := coalesce(p_threshold, v_table.threshold);

    return query
    with best as (
        select distinct on (r.id)
            r.id as row_id,
            r.key,
            r.value,
            c.name,
            r.language,
            r.active,
            r.key = v_key as is_key,
            f.features[v_exact] = 1 as is_exact,
            lower(btrim(c.name)) = lower(v_key) as is_verbatim,
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

    place as (
        select
            b.*,
            b.is_key and not v_is_number as is_id,
            first_value(b.answer) over best_first as first_answer,
            first_value(b.label) over best_first as first_label,
            row_number() over best_first as position
        from (select x.*, max(x.score) over (partition by x.answer) as answer_score from best as x) as b
        window best_first as (
            order by (b.is_key and not v_is_number) desc, b.answer_score desc, b.answer, b.score desc, b.row_id
        )
    ),

    answer as (
        select
            p.answer,
            p.answer_score as score,
            p.answer = p.first_answer as is_first,
            count(distinct p.label) as names
        from place as p
        group by p.answer, p.answer_score, p.first_answer
    ),

    rest as (
        select coalesce(sum(exp(least(a.score, 60))) filter (where not a.is_first), 0) + 1 as weight from answer as a
    ),

    sure as (
        select
            case
                when p.is_id then 1 -- the id of a row says which one is meant
                when p.is_key and not p.is_exact then 0.3 -- a bare number may be an id, or a number of something else
                else
                    0.9999 / (1 + exp(
                        (p.features::ext.vector operator(ext.<#>) v_weights)
                        - v_learned.confidence_intercept - v_learned.confidence_place[1] * o.odds
                        - v_learned.confidence_place[2] * o.odds ^ 2 - v_learned.confidence_place[3] * greatest(o.odds - 3, 0)
                    ))
            end as sureness
        from place as p
        cross join rest as r
        cross join lateral (select greatest(-10, least(12, p.answer_score - ln(r.weight))) as odds) as o
        where p.position = 1
    ),

    ranked as (
        select
            p.*,
            min(
                case when a.is_first then s.sureness else (1 - s.sureness) * exp(least(a.score, 60)) / r.weight end / a.names
            ) over (order by p.position) as probability,
            case when p.is_verbatim then 3 when p.is_exact then 2 when a.is_first and s.sureness >= v_table.threshold then 1 else 0 end as named
        from place as p
        inner join answer as a on a.answer = p.answer
        cross join rest as r
        cross join sure as s
    ),

    -- A retired row is named if no active row has this name: letter by letter, or else after normalisation.
    taken as (
        select coalesce(bool_and(not k.active) filter (where k.named = k.most), false) as by_retired, max(k.most) as most
        from (select x.active, x.named, max(x.named) over () as most from ranked as x) as k
        where p_active_only and k.most > 0
    ),

    compared as (
        select
            k.*,
            t.by_retired,
            bool_or(k.features[v_doubts[1]] = 1) over () as in_word,
            -- The query holds the whole names of two rows, one beside the other.
            strpos(k.first_label, ' ') > 0
            and strpos(' ' || v_label || ' ', ' ' || k.first_label || ' ') > 0
            and bool_or(
                strpos(k.label, ' ') > 0
                and strpos(replace(' ' || v_label || ' ', ' ' || k.first_label || ' ', '  '), ' ' || k.label || ' ') > 0
            ) over () as names_two,
            row_number() over best_first as rank,
            max(k.probability) over () as first,
            coalesce(lead(k.probability) over best_first, 0) as second
        from ranked as k
        cross join taken as t
        where case when t.by_retired then p_tells_retired and k.named = t.most else k.active or not p_active_only end
            and (k.is_exact or k.is_id or not v_is_placeholder)
        window best_first as (order by k.position)
    )

    select
        c.rank::integer,
        c.key,
        c.value,
        c.name,
        c.probability::real,
        c.rank = 1
        and not c.by_retired
        and c.probability >= greatest(v_least, 0.5)
        and c.first - c.second >= v_table.gap
        and (
            c.is_id
            or c.is_exact and (not v_is_letter or lower(btrim(c.name, v_marks)) = lower(btrim(p_query, v_marks)))
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
    where c.rank <= p_limit and (c.first >= v_least or c.probability >= p_least or c.by_retired)
    order by c.rank;
end
$function$;
comment on function lookup.answer(integer, text, integer, integer, text, boolean, text, jsonb, boolean, real, boolean, ext.vector, integer, real, boolean) is
'Finds the rows to which a query may refer, best first, each with the probability that it is the right one. Arguments: '
'p_table_id: id of the lookup table; p_query: the query; p_limit: maximum number of rows; p_candidates: number of '
'candidates to find by trigrams; p_language: preferred language; p_active_only: whether to return only active rows; '
'p_domain: domain, null for any; p_properties: requested properties; p_strict: whether to exclude rows without these '
'properties; p_threshold: threshold, null for the table''s own threshold; p_explain: whether to explain the scores; '
'p_vector: vector of the query, or null; p_semantic: number of candidates to find by this vector; p_least: lowest '
'probability of rows to return below the threshold, null for none; p_tells_retired: whether to return the retired rows '
'that the query names, instead of nothing (active is false, match is false). Returns the same rows as '
'api.search_lookup, and no rows if the caller may not see the table.';
grant execute on function lookup.answer to qm_reader;
