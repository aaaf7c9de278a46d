-- search.claim_unembedded: the kind with the fewest waiting texts comes first, so that a few notes need not wait for
-- many symbols. If another kind has already embedded a text, the function copies the vector. A text whose cards all
-- have an audience is returned only to members of the audience and to the worker of the service.
-- If the model is active, the function also records the kinds and rights classes whose cards wait for a vector (see
-- search.is_embedded). The record contains the change counter from the start of the function. If texts change later,
-- the counters differ, and the record is no longer used.
-- Writes: search.embedding, search.embedded_kind.
create or replace function search.claim_unembedded(p_model text, p_limit integer)
returns table (kind text, text_hash bytea, embedding_text text)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_model_id constant integer := search.model_id(p_model);
    v_changes constant jsonb := (select jsonb_object_agg(k.name, search.count_changes(k.name)) from search.kind as k);
    v_kinds text[];
    v_text_hashes bytea[];
begin
    insert into search.embedding (model_id, kind, text_hash, vector)
    select distinct on (c.kind, c.text_hash) v_model_id, c.kind, c.text_hash, e.vector
    from search.card as c
    inner join search.embedding as e on e.model_id = v_model_id and e.text_hash = c.text_hash and e.kind <> c.kind
    where not exists (
        select from search.embedding as x
        where x.model_id = v_model_id and x.text_hash = c.text_hash and x.kind = c.kind
    )
    on conflict do nothing;

    with waiting as materialized (
        select distinct c.kind, c.text_hash, c.rights_class
        from search.card as c
        where not exists (
            select from search.embedding as x
            where x.model_id = v_model_id and x.text_hash = c.text_hash and x.kind = c.kind
        )
    ),

    counted as materialized (
        select w.kind, count(distinct w.text_hash) as texts, array_agg(distinct w.rights_class) as classes
        from waiting as w
        group by w.kind
    ),

    noted as (
        insert into search.embedded_kind as e (kind, changes, waiting)
        select k.name, k.changes::bigint, coalesce(n.classes, '{}')
        from jsonb_each_text(v_changes) as k (name, changes)
        left join counted as n on n.kind = k.name
        where exists (select from search.model as m where m.id = v_model_id and m.active)
        order by k.name collate core.c_utf8
        on conflict on constraint embedded_kind_pkey do update
        set changes = excluded.changes, waiting = excluded.waiting
        where (e.changes, e.waiting) <> (excluded.changes, excluded.waiting)
    ),

    claimed as (
        select w.kind, w.text_hash
        from waiting as w
        inner join counted as n on n.kind = w.kind
        where session_user = 'qm_service' or exists (
            select from search.card as c
            where c.text_hash = w.text_hash
                and c.kind = w.kind
                and (c.audience_id is null or policy.is_visible(c.rights_class, (select policy.visible_classes())))
        )
        group by n.texts, w.kind, w.text_hash
        order by n.texts, w.kind, w.text_hash
        limit p_limit
    )

    select array_agg(c.kind), array_agg(c.text_hash)
    into v_kinds, v_text_hashes
    from claimed as c;

    return query
    select distinct on (g.text_hash) g.kind, g.text_hash, t.embedding_text
    from unnest(v_kinds, v_text_hashes) as g (kind, text_hash)
    cross join lateral (
        select c.embedding_text from search.card as c where c.text_hash = g.text_hash and c.kind = g.kind limit 1
    ) as t
    order by g.text_hash, g.kind collate core.c_utf8;
end
$function$;
comment on function search.claim_unembedded(text, integer) is
'Finds texts of cards that have no vector from a given model yet. Each text is returned only once, and kinds with few '
'such texts come first. Arguments: p_model: name of the embedding model; p_limit: maximum number of texts (fewer if '
'kinds share a text). Returns for each text: the kind of card, the hash of the text, and the text. Raises QM404 '
'model_not_found.';
