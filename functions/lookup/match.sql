-- lookup.match: the rows that a query may mean, best first, with the probability that each is the one: confidence over what search.search finds.
-- The score of a row is that of its best name. Its odds are those of a softmax with "none of them", of which the score is 0: unanswerable
-- queries and close seconds both lower them. Rows of the same name do not compete.
-- The probability is logistic in odds and features, so that what speaks for "none of them" counts by itself (after Platt, Probabilistic
-- Outputs for Support Vector Machines, 1999); that of a row is never above that of one before it.
-- Definer because rows and names are read here without a policy each; tables and names that may not be seen are left out by what is asked.
create or replace function lookup.match(
    p_table_id integer,
    p_query text,
    p_limit integer,
    p_candidates integer,
    p_language text,
    p_active_only boolean,
    p_domain text,
    p_properties jsonb,
    p_strict boolean,
    p_meaning ext.vector default null,
    p_semantic integer default 30
)
returns table (row_id bigint, card_id bigint, score real, probability real, scores jsonb, features real[])
language plpgsql
stable parallel unsafe security definer
rows 20
set search_path = pg_catalog, pg_temp
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $function$
#variable_conflict use_column
declare
    v_learned record;
    v_weights ext.vector;
    v_property integer;
    v_trigram integer;
    v_cosine integer;
    v_alias integer;
    v_semantic integer;
    v_key constant text := btrim(p_query);
begin
    perform policy.require_principal();
    select w.* into v_learned
    from lookup.lookup_table as t
    inner join search.card as c on c.kind = 'lookup_table' and c.ref = t.id
    cross join lateral search.coefficients('lookup', lookup.profiles_of(t.name, p_meaning is not null)) as w
    where t.id = p_table_id and policy.is_visible(c.rights_class, (select policy.visible_classes()));
    if not found then
        return;
    end if;
    v_weights := v_learned.confidence_weights;
    v_property := array_position(v_learned.features, 'property_true');
    v_trigram := array_position(v_learned.features, 'trigram');
    v_cosine := array_position(v_learned.features, 'cosine');
    v_alias := array_position(v_learned.features, 'alias');
    v_semantic := array_position(v_learned.features, 'sem');

    return query
    with best as (
        select distinct on (n.row_id) n.row_id, r.key = v_key as is_id, c.label, f.card_id, f.odds as score, f.features
        from search.search(
            'lookup', p_query, p_meaning, 0, p_semantic, p_candidates, 0, '{1, 1, 1}', 'learned',
            jsonb_build_object(
                'table', p_table_id, 'language', p_language, 'active_only', p_active_only, 'domain', p_domain, 'properties', p_properties
            ), v_learned.score
        ) as f
        inner join search.card as c on c.id = f.card_id
        inner join lookup.lookup_name as n on n.id = c.ref
        inner join lookup.lookup_row as r on r.id = n.row_id
        where not p_strict or f.features[v_property] = 1
        order by n.row_id, f.odds desc, f.card_id
    ),

    rated as (
        select
            b.*,
            greatest(
                -10, least(12, b.score - ln(1 + greatest(sum(exp(b.score)) over () - sum(exp(b.score)) over same_name, 0)))
            ) as odds
        from best as b
        window same_name as (partition by b.label)
    ),

    sure as (
        select
            x.*,
            case
                when x.is_id then 1 -- the id of a row says which one is meant
                else
                    1 / (1 + exp(
                        (x.features::ext.vector operator(ext.<#>) v_weights)
                        - v_learned.confidence_intercept - v_learned.confidence_odds[1] * x.odds
                        - v_learned.confidence_odds[2] * x.odds ^ 2 - v_learned.confidence_odds[3] * greatest(x.odds - 3, 0)
                    ))
            end as probability
        from rated as x
    )

    select
        s.row_id,
        s.card_id,
        s.score::real,
        (min(s.probability) over (order by s.is_id desc, s.score desc, s.row_id rows between unbounded preceding and current row))::real,
        jsonb_build_object(
            'trgm', round(s.features[v_trigram]::numeric, 4),
            'cosine', round(s.features[v_cosine]::numeric, 4),
            'alias', s.features[v_alias] = 1,
            'property', round(s.features[v_property]::numeric, 4)
        )
        || case when p_meaning is not null then jsonb_build_object('sem', round(s.features[v_semantic]::numeric, 4)) else '{}' end,
        s.features
    from sure as s
    order by s.is_id desc, s.score desc, s.row_id
    limit p_limit;
end
$function$;
comment on function lookup.match(integer, text, integer, integer, text, boolean, text, jsonb, boolean, ext.vector, integer) is
'Arguments: table; query; rows at most; candidates by trigrams; language preferred; whether only active rows; domain; properties asked for, and whether rows without them are left out; vector of the query, or null, and candidates by it. Returns rows, best first, with the card of the name that fits best, and scores: of its features trgm, cosine, alias, property, and sem where the query has a vector.';
grant execute on function lookup.match to qm_user;
