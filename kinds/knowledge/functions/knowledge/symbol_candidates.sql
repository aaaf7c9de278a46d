-- knowledge.symbol_candidates: if the scope limits the channels to some distributions (member "among"), the channels
-- look for more cards, because the cards of other distributions are dropped.
-- Symbols with the same name are different things, so search.search must not merge them. Therefore, the candidates have
-- no text hash. The last features are stored with the symbol (knowledge.symbol.priors).
-- Only search.search and api.symbol_examples may call this function, because callers have no permission to read
-- search.lexical and search.embedding.
create or replace function knowledge.symbol_candidates(p_goal search.goal)
returns setof search.candidate
language plpgsql
volatile parallel unsafe security invoker
rows 1000
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan -- how to join depends on how many cards the library has
as $function$
declare
    v_terms constant search.goal_terms := search.read_terms('symbol', p_goal.text);
    v_vector constant ext.vector := p_goal.vectors[1];
    v_model constant integer := case when v_vector is not null then (search.goal_model()).id end;
    v_visible constant bit varying := policy.visible_classes();
    v_distributions constant bigint[] := array(
        select e.id::bigint
        from jsonb_array_elements_text(search.scope_member(p_goal.scope, 'distributions', 'array')) as e (id)
    );
    v_among constant bigint[] := array(
        select e.id::bigint
        from jsonb_array_elements_text(search.scope_member(p_goal.scope, 'among', 'array')) as e (id)
    );
    v_width constant integer := case when p_goal.scope ? 'among' then 16 else 4 end;
    v_async constant real := (
        p_goal.text ~* '\m(async\w*|await\w*|coroutines?|event loop)\M' collate core.c_utf8
    )::integer::real;
    v_error constant real := (
        p_goal.text ~* '\m(errors?|exceptions?|catch|raised)\M' collate core.c_utf8
    )::integer::real;
    v_cards bigint[];
    v_kept constant integer := 300; -- of the candidates, those for which all features are computed
begin
    if p_goal.scope ? 'distributions' then -- also if it names none
        v_cards := array(
            select c.id
            from knowledge.symbol as s
            inner join search.card as c on c.kind = 'symbol' and c.ref = s.id
            where s.distribution_id = any(v_distributions)
                and s.is_public
                and policy.is_visible(c.rights_class, v_visible)
        );
    else
        v_cards := array(
            select l.card_id
            from search.bm25('symbol', v_width * p_goal.lexical, v_terms) as l
            union
            select d.card_id
            from search.dense(
                'symbol', v_vector, v_width * p_goal.dense, greatest(p_goal.ef_search, v_width * p_goal.dense)
            ) as d
            union
            select z.card_id
            from search.fuzzy('symbol', p_goal.text, p_goal.fuzzy) as z
        );
        if p_goal.scope ? 'among' then
            v_cards := array(
                select c.id
                from unnest(v_cards) as k (id)
                inner join search.card as c on c.id = k.id
                inner join knowledge.symbol as s on s.id = c.ref
                where s.distribution_id = any(v_among)
            );
        end if;
    end if;
    return query
    with scored as materialized (
        select
            c.id,
            c.label,
            c.name_lexemes,
            s.path,
            s.priors,
            s.distribution_id,
            -- The label is the last part of the path, folded.
            left(s.path, greatest(length(s.path) - length(c.label) - 1, 0)) as owner,
            coalesce((-(l.weights operator(ext.<#>) v_terms.query))::real / nullif(v_terms.most, 0), 0) as words,
            (1 - (e.vector operator(ext.<=>) v_vector))::real as near
        from unnest(v_cards) as k (id)
        inner join search.card as c on c.id = k.id
        inner join search.lexical as l on l.card_id = c.id
        inner join knowledge.symbol as s on s.id = c.ref
        left join search.embedding as e on e.model_id = v_model and e.text_hash = c.text_hash and e.kind = 'symbol'
    ),

    placed as materialized (
        select
            s.*,
            coalesce(s.near, min(s.near) over (), 0) as nearness,
            rank() over (order by s.words desc) as words_rank,
            rank() over (order by s.near desc nulls last) as near_rank
        from scored as s
    ),

    best_member as materialized (
        select p.distribution_id, p.owner, max(p.nearness) as nearness from placed as p group by 1, 2
    ),

    -- The other features are few points compared with these two, and cost more.
    kept as materialized (
        select p.*, o.nearness as owner_near, m.nearness as member_near
        from placed as p
        left join placed as o on o.path = p.owner and o.distribution_id = p.distribution_id
        left join best_member as m on m.owner = p.path and m.distribution_id = p.distribution_id
        order by 2.5 * p.words + 13 * p.nearness desc, p.id
        limit v_kept
    )

    select
        p.id,
        p.label,
        null::bytea,
        p.words::real,
        greatest(p.nearness, 0)::real,
        0::real,
        case when p.near is null then '{lexical}' else '{dense,lexical}' end::text[],
        array[
            p.words,
            1.0 / (2 + p.words_rank),
            coalesce(
                (
                    select sum(v_terms.weights[array_position(v_terms.lexemes, g.lexeme)])
                    from unnest(p.name_lexemes) as g (lexeme)
                    where g.lexeme = any(v_terms.lexemes)
                ) / nullif(v_terms.most, 0),
                0
            ),
            p.nearness,
            p.nearness - a.best,
            1.0 / (2 + p.near_rank),
            coalesce(p.owner_near, a.mean),
            coalesce(p.member_near, 0),
            v_async * (lower(p.path) like '%async%')::integer,
            (1 - v_async) * (lower(p.path) like '%async%')::integer,
            v_error * (p.path ~ '(Error|Exception|Warning)$')::integer,
            (1 - v_error) * (p.path ~ '(Error|Exception|Warning)$')::integer
        ]::real[] || p.priors
    from kept as p
    cross join (select max(x.nearness) as best, avg(x.nearness) as mean from placed as x) as a;
end
$function$;
comment on function knowledge.symbol_candidates(search.goal) is
'Finds objects of libraries that may fit a goal (the candidates of the feature set "symbols"), and computes the '
'features from which they are scored. Argument p_goal: the goal. The scope of the goal is a JSON object with one of '
'two members. The member "distributions" is an array of ids of libraries: every object of these libraries is compared '
'with the goal. The member "among" is also an array of ids of libraries, but only objects that the search channels '
'find in these libraries are compared with the goal. Returns the candidates with their features. Raises QM422 '
'argument_invalid.';
