-- lookup.match: the rows that a query may mean, best first, with the probability that each is the one.
-- Score of a name = intercept + weights . features; of a row, that of its best name. Its odds are those of a softmax with "none of them", of
-- which the score is 0: unanswerable queries and close seconds both lower them. Rows of the same name do not compete.
-- The probability is logistic in odds and features, so that what speaks for "none of them" counts by itself (after Platt, Probabilistic
-- Outputs for Support Vector Machines, 1999); that of a row is never above that of one before it.
-- Definer because names lie in postings that nobody else reads; tables and names that may not be seen are left out here.
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
returns table (row_id bigint, card_id bigint, score real, probability real, features real[])
language plpgsql
stable parallel unsafe security definer
rows 20
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_intercept real;
    v_weights ext.vector;
    v_confidence real;
    v_odds real[];
    v_confidences ext.vector;
begin
    perform policy.require_principal();
    perform
    from search.card as c
    where c.kind = 'lookup_table' and c.ref = p_table_id and policy.is_visible(c.rights_class, (select policy.visible_classes()));
    if not found then
        return;
    end if;
    select c.intercept, c.weights::ext.vector, c.confidence_intercept, c.confidence_odds, c.confidence_weights::ext.vector
    into v_intercept, v_weights, v_confidence, v_odds, v_confidences
    from lookup.coefficients((select t.name from lookup.lookup_table as t where t.id = p_table_id), p_meaning is not null) as c;

    return query
    with scored as (
        select
            f.*,
            f.key = btrim(p_query) as is_id,
            v_intercept - (f.features::ext.vector operator(ext.<#>) v_weights) as score
        from lookup.features(
            p_table_id, p_query, p_candidates, p_language, p_active_only, p_domain, p_properties, p_meaning, p_semantic
        ) as f
        where not p_strict or f.features[20] = 1
    ),

    best as (
        select distinct on (s.row_id) s.* from scored as s order by s.row_id, s.score desc, s.card_id
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
                        (x.features::ext.vector operator(ext.<#>) v_confidences)
                        - v_confidence - v_odds[1] * x.odds - v_odds[2] * x.odds ^ 2 - v_odds[3] * greatest(x.odds - 3, 0)
                    ))
            end as probability
        from rated as x
    )

    select
        s.row_id,
        s.card_id,
        s.score::real,
        (min(s.probability) over (order by s.is_id desc, s.score desc, s.row_id rows between unbounded preceding and current row))::real,
        s.features
    from sure as s
    order by s.is_id desc, s.score desc, s.row_id
    limit p_limit;
end
$function$;
comment on function lookup.match(integer, text, integer, integer, text, boolean, text, jsonb, boolean, ext.vector, integer) is
'Arguments: table; query; rows at most; candidates by trigrams; language preferred; whether only active rows; domain; properties asked for, and whether rows without them are left out; vector of the query, or null, and candidates by it. Returns rows, best first, with the card of the name that fits best.';
grant execute on function lookup.match to qm_user;
