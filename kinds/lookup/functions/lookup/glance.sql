-- lookup.glance: only visible names are compared. Names of active rows and names of retired rows have separate limits,
-- so that retired rows take no places of active rows. "offset 0" makes the planner compute a lateral subquery once.
-- Without "offset 0", PostgreSQL would compute the subquery for each use of its columns.
create or replace function lookup.glance(
    p_question lookup.question, p_card_ids bigint[], p_limit integer, p_active_only boolean, p_domain text
)
returns setof lookup.candidate
language plpgsql
stable parallel unsafe security invoker
rows 25
set search_path = pg_catalog, pg_temp
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $function$
declare
    v_key constant text := btrim(p_question.text);
    v_letters constant text := replace(p_question.label, ' ', '');
    v_first constant text := coalesce(p_question.words[1], '');
    v_short constant text := p_question.short;
    v_stem constant text := p_question.stem;
    v_second_stem constant text := split_part(v_stem, ' ', 2);
    v_query constant ext.sparsevec := (p_question.terms).query;
    v_most constant real := (p_question.terms).most;
    v_visible constant bit varying := policy.visible_classes();
begin
    return query
    select
        x.card_id,
        x.value,
        x.label,
        x.words,
        x.language,
        x.evidence,
        x.facts,
        x.is_alias,
        x.short,
        x.stem,
        x.initials,
        x.cosine,
        x.query_share,
        x.name_share,
        x.semantic
    from (
        select
            m.card_id,
            r.value,
            k.label,
            k.name_lexemes as words,
            r.language,
            r.evidence,
            r.facts,
            n.is_alias,
            n.short,
            n.stem,
            n.initials,
            o.cosine,
            o.query_share,
            o.name_share,
            e.semantic,
            row_number() over fits_best as place
        from (select distinct c.id as card_id from unnest(p_card_ids) as c (id)) as m
        inner join search.card as k on k.id = m.card_id
        inner join search.lexical as l on l.card_id = m.card_id
        inner join lookup.lookup_name as n on n.id = k.ref
        inner join lookup.lookup_row as r on r.id = n.row_id
        cross join lateral (
            select
                v.overlap / sqrt(v_most * v.length) as cosine,
                v.overlap / v_most as query_share,
                v.overlap / v.length as name_share
            from (
                select -(l.weights operator(ext.<#>) v_query) as overlap, greatest(l.length, 1) as length offset 0
            ) as v
            offset 0
        ) as o
        left join lateral (
            select 1 - (x.vector operator(ext.<=>) p_question.meaning) as semantic
            from search.embedding as x
            where p_question.meaning is not null
                and x.model_id = p_question.model_id
                and x.kind = 'lookup'
                and x.text_hash = k.text_hash
        ) as e on true
        where policy.is_visible(k.rights_class, v_visible)
            and (
                not n.is_alias
                -- A row is visible if the card of its value is visible.
                or exists (
                    select from lookup.lookup_name as a
                    inner join search.card as v on v.kind = 'lookup' and v.ref = a.id
                    where a.row_id = r.id and not a.is_alias and policy.is_visible(v.rights_class, v_visible)
                )
            )
            and (r.active or not p_active_only)
            and (p_domain is null or r.domain = p_domain)
        window fits_best as (
            partition by r.active
            order by
                o.cosine
                + o.query_share / 2
                + 0.3 * (
                    (n.short = v_short)::integer
                        + (n.stem = v_stem)::integer
                        + coalesce(n.second = v_second_stem, false)::integer
                )
                + coalesce(n.initials in (v_letters, v_first), false)::integer
                + coalesce(r.facts @> p_question.facts, false)::integer
                + 2 * (r.key = v_key)::integer
                + coalesce(e.semantic, 0) desc,
                m.card_id
        )
    ) as x
    where x.place <= p_limit
    order by x.place, x.card_id;
end
$function$;
comment on function lookup.glance(lookup.question, bigint[], integer, boolean, text) is
'Compares many names with a query quickly, and chooses the best names. Later, only the chosen names are compared in '
'full. Arguments: p_question: the query; p_card_ids: ids of the names'' cards, which may contain duplicates; p_limit: '
'maximum number of names; p_active_only: true to choose only names of active rows; p_domain: domain of the rows (null: '
'any domain). Returns the chosen names. Names that the caller may not see are never chosen.';
