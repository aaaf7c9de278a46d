-- lookup.answer: lookup.rivals finds the rows. Rows between which the query does not distinguish form one answer
-- (lookup.answer_key). If an abbreviation fits several names, the probability of the answer is divided among them. If
-- several rows have the same name, each of them gets the whole probability.
-- The probabilities of all answers and of the answer "none of them" add up to 1. lookup.sureness computes the
-- probability of the first answer. The others share the rest: each gets a part that is proportional to exp(score); the
-- score of "none of them" is 0. All probabilities are computed before the list is cut at the limit. If the first row
-- does not reach the threshold, only rows whose probability is at least p_least are returned.
-- The first row is a match if its probability and its lead over the second row are large enough, and if the query says
-- enough to identify a row (lookup.can_tell). Retired rows are compared with the query, too: if the query names a
-- retired row, no other row is returned.
-- If the table has vectors and the query has none, the database computes a vector if it can. Otherwise, the query is
-- answered without a vector.
create or replace function lookup.answer(
    p_table_id integer,
    p_query text,
    p_limit integer,
    p_candidates integer default 30,
    p_language text default null,
    p_active_only boolean default true,
    p_domain text default null,
    p_properties jsonb default null,
    p_strict boolean default false,
    p_threshold real default null,
    p_explain boolean default false,
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
set plan_cache_mode = force_generic_plan -- the plan is the same for every query, and planning has a cost
as $function$
declare
    v_table lookup.lookup_table;
    v_meaning ext.vector;
    v_learned record;
    v_places lookup.places;
    v_is_number constant boolean := btrim(p_query) ~ '^[0-9]+$';
    v_label constant text := lookup.normalize(left(p_query, 1000));
    v_is_placeholder constant boolean := lookup.is_placeholder(p_query);
    v_least real;
    v_found record;
    v_first lookup.rival;
    v_sureness double precision;
    v_retired bigint[];
    v_beside_first text;
begin
    perform policy.require_principal();
    select t.* into v_table from lookup.lookup_table as t where t.id = p_table_id;
    if v_table.has_vectors then
        v_meaning := lookup.meaning_of(p_query, p_vector);
    end if;
    select w.*
    into v_learned
    from search.coefficients('lookup', lookup.profiles_of(v_table.name, v_meaning is not null)) as w
    where v_table.id is not null;
    if not found then
        return;
    end if;
    v_places := lookup.places_of(v_learned.features);
    v_least := coalesce(p_threshold, v_table.threshold);

    select f.*
    into v_found
    from lookup.rivals(
        p_query,
        v_meaning,
        jsonb_build_object(
            'table', p_table_id,
            'language', p_language,
            'active_only', false,
            'domain', p_domain,
            'properties', p_properties
        ),
        p_candidates,
        p_semantic,
        p_strict,
        v_learned.score,
        v_places
    ) as f;
    if v_found.rivals is null then
        return;
    end if;
    v_first := v_found.rivals[1];
    if v_first.is_key and not v_is_number then
        v_sureness := 1; -- the id of a row says which one is meant
    elsif v_first.is_key and v_first.features[v_places.exact] <> 1 then
        v_sureness := 0.3; -- a bare number may be an id, or a number of something else
    else
        v_sureness := lookup.sureness(
            v_first.features,
            v_first.answer_score - ln(v_found.weight),
            v_learned.confidence_intercept,
            v_learned.confidence_place,
            v_learned.confidence_weights
        );
    end if;
    if p_active_only and v_found.has_retired then
        v_retired := lookup.retired_named(v_found.rivals, p_query, v_places.exact, v_sureness >= v_table.threshold);
    end if;
    v_beside_first := lookup.beside_name(v_label, v_first.label);

    return query
    with ranked as (
        select
            r.*,
            r.is_key and not v_is_number as is_id,
            r.features[v_places.exact] = 1 as is_exact,
            min(
                case
                    when r.answer = v_first.answer then v_sureness
                    else (1 - v_sureness) * exp(least(r.answer_score, 60)) / v_found.weight
                end / r.names
            ) over (order by r.position) as probability
        from unnest(v_found.rivals) with ordinality as r (
            row_id, key, value, name, language, active, is_key, label, answer, answer_score, names, features, position
        )
    ),

    compared as (
        select
            k.*,
            bool_or(k.features[v_places.in_word] = 1) over best_first as in_word,
            v_beside_first is not null
            and bool_or(
                strpos(k.label, ' ') > 0 and strpos(v_beside_first, ' ' || k.label || ' ') > 0
            ) over best_first as names_two,
            row_number() over best_first as rank,
            max(k.probability) over best_first as first,
            coalesce(lead(k.probability) over best_first, 0) as second
        from ranked as k
        where
            case
                when v_retired is not null then p_tells_retired and k.row_id = any(v_retired)
                else k.active or not p_active_only
            end
            and (k.is_exact or k.is_id or not v_is_placeholder)
        window best_first as (order by k.position rows between unbounded preceding and unbounded following)
    )

    select
        c.rank::integer,
        c.key,
        c.value,
        c.name,
        c.probability::real,
        case
            when c.rank = 1
                and v_retired is null
                and c.probability >= greatest(v_least, 0.5)
                and c.first - c.second >= v_table.gap
                then lookup.can_tell(p_query, v_label, v_found.rivals[c.position], v_places, c.in_word, c.names_two)
            else false
        end,
        c.language,
        c.active,
        jsonb_build_object(
            'trgm', round(c.features[v_places.trigram]::numeric, 4),
            'cosine', round(c.features[v_places.cosine]::numeric, 4),
            'alias', c.features[v_places.alias] = 1,
            'property', round(c.features[v_places.property_true]::numeric, 4),
            'gap', round((c.probability - case when c.rank = 1 then c.second else c.first end)::numeric, 4)
        )
        || case
            when p_language <> '' then jsonb_build_object('language', c.language = p_language) else '{}'
        end
        || case
            when v_table.has_vectors and v_meaning is null then '{"sem": null}'
            when v_table.has_vectors then jsonb_build_object('sem', round(c.features[v_places.sem]::numeric, 4))
            else '{}'
        end
        || case
            when p_explain then lookup.explain_rival(v_table, c.features, v_meaning is not null) else '{}'
        end
    from compared as c
    where c.rank <= p_limit and (c.first >= v_least or c.probability >= p_least or v_retired is not null)
    order by c.rank;
end
$function$;
comment on function lookup.answer(
    integer,
    text,
    integer,
    integer,
    text,
    boolean,
    text,
    jsonb,
    boolean,
    real,
    boolean,
    ext.vector,
    integer,
    real,
    boolean
) is
'Finds the rows of a lookup table to which a query may refer, best first, each with the probability that the row is '
'the right one. Arguments: p_table_id: id of the lookup table; p_query: the query; p_limit: maximum number of rows; '
'p_candidates: number of candidates to find by trigrams; p_language: preferred language; p_active_only: true to return '
'only active rows; p_domain: domain of the rows (null: any domain); p_properties: requested properties; p_strict: true '
'to exclude rows without these properties; p_threshold: threshold for the probability of the first row (null: the '
'threshold of the table); p_explain: true to explain the scores; p_vector: vector of the query (null: no vector); '
'p_semantic: number of candidates to find by the vector; p_least: lowest probability of a returned row if no row '
'reaches the threshold (null: no such rows); p_tells_retired: true to return a retired row that the query names, with '
'the columns active and match false. Returns the same columns as api.search_lookup. Rows of tables that the caller may '
'not see are not found; lookup.require_table tells such a caller that there is no such table.';
grant execute on function lookup.answer to qm_reader;
