-- api.search_cards: cards of any kind for a goal; select_tools and search_tools are this for kind tool.
-- Raises: QM404 kind_not_found, QM413 goal_too_long, QM422 goal_empty, mode_unknown, argument_invalid, dimension_mismatch.
-- Writes: selection.receipt, selection.exposure.
create or replace function api.search_cards(
    kind text,
    goal text,
    mode text default 'balanced',
    expose integer default null,
    query_vector ext.vector default null,
    session text default null
)
returns table (
    rank integer, name text, origin text, brief text, score real, scores jsonb, receipt bigint, ref bigint
)
language plpgsql
volatile parallel unsafe security invoker
rows 10
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_started constant timestamptz := clock_timestamp();
    v_goal constant text := selection.require_goal(search_cards.goal);
    v_mode constant selection.mode := selection.require_mode(search_cards.mode);
    v_expose constant integer := coalesce(search_cards.expose, v_mode.expose);
    v_vector constant ext.vector := coalesce(search_cards.query_vector, search.embed_goal(v_goal));
    v_offered jsonb;
    v_receipt_id bigint;
begin
    if v_expose not between 1 and 100 then
        perform core.fail(
            'argument_invalid', format('%s is no number of cards to show, it goes from 1 to 100', v_expose), null,
            'Ask for 1 to 100, or leave it out.'
        );
    end if;
    perform from search.kind as k where k.name = search_cards.kind;
    if not found then
        perform policy.require_principal();
        perform core.fail('kind_not_found', format('there is no kind of card called %L', search_cards.kind));
    end if;

    -- Joined with the card under the caller's own policy: what the engine offers is asserted to be visible.
    select coalesce(
        jsonb_agg(
            jsonb_build_object(
                'rank', f.rank,
                'name', f.name,
                'score', round(f.score::numeric, 4),
                'scores', f.scores,
                'ref', f.ref
            )
            order by f.rank
        ), '[]'
    )
    into v_offered
    from (
        select
            row_number() over (order by s.score desc, s.card_id)::integer as rank,
            c.name,
            c.ref,
            s.score,
            jsonb_build_object(
                'lexical', round(s.lexical::numeric, 4),
                'dense', round(s.dense::numeric, 4),
                'fuzzy', round(s.fuzzy::numeric, 4),
                'sources', to_jsonb(s.sources)
            ) as scores
        from search.search(
            search_cards.kind, v_goal, v_vector, v_mode.lexical, v_mode.dense, v_mode.fuzzy, v_mode.ef_search,
            array[v_mode.weight_lexical, v_mode.weight_dense, v_mode.weight_fuzzy]
        ) as s
        inner join search.card as c on c.id = s.card_id
        order by s.score desc, s.card_id
        limit v_expose
    ) as f;

    v_receipt_id := selection.record_receipt(
        search_cards.kind, v_goal, v_mode.name, search_cards.session, v_offered,
        (extract(epoch from clock_timestamp() - v_started) * 1000)::real
    );

    return query
    select
        (o.offer ->> 'rank')::integer,
        c.name,
        c.origin,
        c.brief,
        (o.offer ->> 'score')::real,
        o.offer -> 'scores',
        v_receipt_id,
        c.ref
    from jsonb_array_elements(v_offered) as o (offer)
    -- One look-up an offer, whatever the planner thinks of their number.
    cross join lateral (
        select k.name, k.origin, k.brief, k.ref
        from search.card as k
        where k.kind = search_cards.kind and k.ref = (o.offer ->> 'ref')::bigint
        limit 1
    ) as c
    order by 1;
end
$function$;
comment on function api.search_cards(text, text, text, integer, ext.vector, text) is
'Cards for a goal, best first. Arguments: kind; goal, at most 20,000 characters; mode (fast, balanced, thorough); expose, how many (1 to 100, default by mode); query_vector, unit vector of the active model (computed here where the database can); session, which keeps the tools found. scores: lexical (BM25), dense (cosine), fuzzy (trigram), sources.';
