-- api.search_cards: the steps: (1) get a pool of candidates for each kind from the search engine; (2) compute the
-- utility of each candidate, from the cross-encoder and past outcomes, and the probability that it fits the goal; (3)
-- end the list where this probability becomes too low; (4) choose the few cards to show, from all kinds together, so
-- that they differ and fit the token budget; (5) write a receipt for each kind.
-- Writes: selection.receipt, selection.exposure, selection.pool.
create or replace function api.search_cards(
    goal text,
    kinds text[] default null,
    mode text default 'balanced',
    top integer default null,
    query_vector ext.vector default null,
    session text default null,
    rerank jsonb default null,
    budget_tokens integer default null,
    explain boolean default false,
    scope jsonb default null
)
returns table (
    rank integer, name text, origin text, brief text, score real, scores jsonb, receipt bigint, ref bigint, kind text,
    weak boolean, unavailable jsonb
)
language plpgsql
volatile parallel unsafe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_started constant timestamptz := clock_timestamp();
    v_goal constant text := selection.require_goal(search_cards.goal);
    v_rerank constant jsonb := selection.require_rerank(search_cards.rerank);
    v_scope constant jsonb := selection.require_scope(search_cards.scope);
    v_mode constant selection.mode := selection.choose_mode(search_cards.mode, v_goal);
    v_top constant integer := coalesce(search_cards.top, v_mode.top);
    v_weights constant real[] := array[v_mode.weight_lexical, v_mode.weight_dense, v_mode.weight_fuzzy];
    v_kinds text[];
    v_kind text;
    v_pool record;
    v_found search.found[] := array[]::search.found[];
    v_found_of jsonb := jsonb_build_object(); -- how many were found, by kind
    v_is_cached boolean := true;
    v_pooled timestamptz;
    v_candidates selection.candidate[];
    v_least real;
    v_is_weak boolean;
    v_valued timestamptz;
    v_shown record;
    v_chosen timestamptz;
    v_withheld jsonb;
    v_cards jsonb;
    v_receipt_of jsonb := jsonb_build_object(); -- by kind
begin
    perform core.require_between('the number of cards', v_top, 1, 100, 'Ask for 1 to 100 cards, or omit the number.');
    if search_cards.budget_tokens < 1 then
        perform core.fail(
            'argument_invalid',
            format('budget_tokens must be above 0, got %s', search_cards.budget_tokens),
            null,
            'A tool definition is typically a few hundred tokens long; omit budget_tokens to set no limit.'
        );
    end if;
    v_kinds := search.require_kinds(search_cards.kinds);
    foreach v_kind in array v_kinds loop
        select * into v_pool from selection.find_pool(v_kind, v_goal, search_cards.query_vector, v_mode, v_scope);
        v_found := v_found || v_pool.cards;
        v_found_of := v_found_of || jsonb_build_object(v_kind, cardinality(v_pool.cards));
        v_is_cached := v_is_cached and v_pool.is_cached;
    end loop;
    v_pooled := clock_timestamp();

    -- selection.value_cards leaves out what the caller may not see now, even if the pool contains it.
    v_candidates := array(
        select v from selection.value_cards(v_kinds, v_found, v_rerank, v_mode) as v
    );
    v_least := selection.least_of(v_candidates, v_goal, v_mode.tail);
    v_is_weak := coalesce(selection.fit_of(v_candidates, v_goal) < v_mode.floor, false);
    v_valued := clock_timestamp();

    select
        array_agg(d.card_id order by d.rank) as card_ids,
        array_agg(d.redundancy order by d.rank) as redundancies,
        array_agg(d.nearest order by d.rank) as nearest
    into v_shown
    from selection.diversify(
        array(select c from unnest(v_candidates) as c where (c.probability < v_least) is not true),
        v_mode.lambda,
        v_mode.top,
        v_top,
        search_cards.budget_tokens
    ) as d;
    v_chosen := clock_timestamp();

    select r.withheld, r.cards
    into v_withheld, v_cards
    from selection.report_cards(
        v_candidates,
        v_found,
        v_found_of,
        v_shown.card_ids,
        v_shown.redundancies,
        v_shown.nearest,
        search_cards.budget_tokens,
        v_least,
        v_is_weak,
        search_cards.explain,
        v_weights,
        v_goal
    ) as r;

    for v_kind in select k.kind from jsonb_object_keys(v_found_of) as k (kind) loop
        v_receipt_of := v_receipt_of || jsonb_build_object(v_kind, selection.record_receipt(
            v_kind,
            v_goal,
            v_mode.name,
            search_cards.session,
            jsonb_path_query_array(
                v_cards, '$[*] ? (@.kind == $kind && @.card.rank != null).card', jsonb_build_object('kind', v_kind)
            ),
            (extract(epoch from clock_timestamp() - v_started) * 1000)::real,
            selection.mode_label(v_mode),
            jsonb_strip_nulls(jsonb_build_object(
                'pool_ms', round(extract(epoch from v_pooled - v_started) * 1000, 2),
                'value_ms', round(extract(epoch from v_valued - v_pooled) * 1000, 2),
                'choose_ms', round(extract(epoch from v_chosen - v_valued) * 1000, 2),
                'report_ms', round(extract(epoch from clock_timestamp() - v_chosen) * 1000, 2),
                'cached', v_is_cached,
                'reranker', v_rerank -> 'model'
            )),
            coalesce(v_withheld -> v_kind, '{}')
        ));
    end loop;
    if v_shown.card_ids is null then
        raise notice 'nothing is offered (receipt %): %',
            (select string_agg(r.id, ', ') from jsonb_each_text(v_receipt_of) as r (kind, id)),
            case when v_candidates = '{}' then 'no card was found' else 'no card fits the budget' end
            using hint = 'Use other words, or allow more tokens. For details, run: select * from show_receipt(NUMBER).';
    elsif not exists (select from jsonb_path_query(v_cards, '$[*].card ? (@.rank != null && @.weak == false)')) then
        raise notice 'no card fits this goal; the cards in the result are only the nearest ones'
            using hint = 'Describe the goal in other words. docs/selection.md explains weak matches.';
    end if;

    return query
    select
        (o.offer #>> '{card,rank}')::integer,
        c.name,
        c.origin,
        c.brief,
        (o.offer #>> '{card,score}')::real,
        o.offer #> '{card,scores}',
        (v_receipt_of ->> c.kind)::bigint,
        c.ref,
        c.kind,
        (o.offer #>> '{card,weak}')::boolean,
        o.offer #> '{card,unavailable}'
    from jsonb_array_elements(v_cards) with ordinality as o (offer, position)
    -- This join looks up each offered card separately, even if the planner expects many rows.
    cross join lateral (
        select k.name, k.origin, k.brief, k.ref, k.kind
        from search.card as k
        where k.kind = o.offer ->> 'kind' and k.ref = (o.offer #>> '{card,ref}')::bigint
        limit 1
    ) as c
    order by o.position;
end
$function$;
comment on function api.search_cards(text, text[], text, integer, ext.vector, text, jsonb, integer, boolean, jsonb) is
'Returns cards for a goal, best first. Arguments: goal: what the caller wants to do (at most 20,000 characters); '
'kinds: kinds of card to search (default: the default kind, tools); mode: search mode (fast, balanced or thorough); '
'top: number of cards, from 1 to 100 (default: the number that the mode sets); query_vector: a unit vector of the goal '
'in the active model, optionally followed by the vectors of the goal''s sentences (null: the database computes the '
'vector, if the database has an embedding model); session: id of an MCP session, to whose tool list the tools are '
'added; rerank: scores that a cross-encoder gave to cards from rerank_candidates, as {"model": name, "scores": {card '
'id: number}}; budget_tokens: largest number of tokens in the definitions of all returned cards together (the best '
'cards that fit are returned); explain: true to return withheld candidates as well, which have no rank; scope: a limit '
'on the search, {"domain": name} for passages, {"distributions": [ids]} or {"among": [ids]} for symbols (null: no '
'limit). The column "score" is the probability that the card is right for the goal. If no probability was learned for '
'the kind and the embedding model, the score is the utility of the card (0 to 1). The utility is computed from the '
'search score and the outcomes of earlier calls, and cards are ranked by it. The order of the cards depends on utility '
'and diversity, not on the score. The column "scores" contains lexical (BM25), dense (cosine), fuzzy (trigram), '
'sources, fused, rerank, redundancy and tokens. With explain, "scores" also says how the score, the probability and '
'the utility were computed. Three further members are nearest (the shown card to which the card is most similar), tied '
'(true if another candidate has the same utility), and withheld. The member `withheld` says why the card has no rank '
'("unlikely", "over_budget", "redundant" or "below_cut"). The column "weak" is true if no card fits the goal, and this '
'card is only one of the nearest cards. The column "unavailable" contains {reason, remedy, until} if the card cannot '
'be used now. A search without results also has a receipt (record of the search): see last_receipt. Raises QM404 '
'kind_not_found, QM413 goal_too_long, QM422 goal_empty, mode_unknown, argument_invalid, dimension_mismatch. Can be '
'null: rank, receipt.';
alter function api.search_cards owner to qm_reader;
grant execute on function api.search_cards to qm_user;
