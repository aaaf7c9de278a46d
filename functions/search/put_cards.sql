-- search.put_cards: a card of an item has no audience. In a kind that is indexed by names, the document of a card
-- consists of the trigrams and words of its label.
-- Writes: search.card, search.lexical, search.term, search.kind, search.corpus, search.words.
create or replace function search.put_cards(p_kind text, p_cards jsonb)
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_card_ids bigint[];
    v_field_weights real[];
    v_member text; -- tokens that must be there
    v_has_items boolean;
begin
    perform search.lock_kind(p_kind);
    select k.field_weights, case k.index_type when 'text' then 'fields' else 'label' end, k.card_function is not null
    into v_field_weights, v_member, v_has_items
    from search.kind as k
    where k.name = p_kind;
    if jsonb_typeof(p_cards) is distinct from 'array'
        or exists (
            select from jsonb_array_elements(p_cards) as c (card)
            where c.card ->> 'ref' is null
                or coalesce(c.card ->> 'name', '') = ''
                or jsonb_typeof(c.card -> v_member)
                    is distinct from case v_member when 'fields' then 'array' else 'string' end
        )
    then
        perform core.fail(
            'card_invalid', format('a batch of %L cards must be an array of {ref, name, %s}', p_kind, v_member)
        );
    end if;
    if v_has_items
        and exists (select from jsonb_array_elements(p_cards) as c (card) where c.card ->> 'audience' is not null)
    then
        perform core.fail(
            'card_invalid',
            format('cards of the kind %L describe items, so they cannot have an audience', p_kind),
            null,
            'Omit the audience, or store the cards under a kind whose cards do not describe items.'
        );
    end if;

    -- Subtract the old documents from the statistics before the documents change.
    v_card_ids := array(
        select c.id
        from jsonb_to_recordset(p_cards) as g (ref bigint)
        inner join search.card as c on c.kind = p_kind and c.ref = g.ref
    );
    perform search.count_terms(p_kind, v_card_ids, -1);
    delete from search.lexical as l where l.card_id = any(v_card_ids);

    with given as (
        select distinct on (c.ref)
            c.ref,
            c.name,
            coalesce(c.origin, '') as origin,
            case v_member when 'fields' then search.fold_label(coalesce(c.label, c.name)) else c.label end as label,
            coalesce(c.brief, '') as brief,
            coalesce(c.embedding_text, c.name) as embedding_text,
            coalesce(c.categories, '{}') as categories,
            c.traits,
            coalesce(c.tokens, ceil(length(c.name || coalesce(c.brief, '')) / 4.0)::integer) as tokens,
            coalesce(c.risk, 0) as risk,
            coalesce(c.downrank, 0) as downrank,
            c.destroys,
            c.audience,
            case v_member
                when 'fields'
                    then tsvector_to_array(search.tokenize(search.split_identifiers(left(c.fields ->> 0, 1000))))
                else string_to_array(c.label, ' ')
            end as name_lexemes,
            case v_member
                when 'fields' then tsvector_to_array(search.tokenize(search.split_identifiers(c.origin)))
                else '{}'
            end as origin_lexemes
        from jsonb_to_recordset(p_cards) as c (
            ref bigint,
            name text,
            origin text,
            label text,
            brief text,
            embedding_text text,
            fields jsonb,
            categories text[],
            traits text[],
            tokens integer,
            risk real,
            downrank real,
            destroys text,
            audience integer
        )
        order by c.ref
    ),

    written as (
        insert into search.card as c (
            kind, ref, name, origin, label, brief, embedding_text, text_hash, name_lexemes, origin_lexemes, categories,
            traits, tokens, risk, downrank, destroys, audience_id
        )
        select
            p_kind,
            g.ref,
            g.name,
            g.origin,
            g.label,
            g.brief,
            g.embedding_text,
            sha256(convert_to(g.embedding_text, 'UTF8')),
            g.name_lexemes,
            g.origin_lexemes,
            g.categories,
            g.traits,
            g.tokens,
            g.risk,
            g.downrank,
            g.destroys,
            g.audience
        from given as g
        on conflict (kind, ref) do update
        set
            name = excluded.name,
            origin = excluded.origin,
            label = excluded.label,
            brief = excluded.brief,
            embedding_text = excluded.embedding_text,
            text_hash = excluded.text_hash,
            name_lexemes = excluded.name_lexemes,
            origin_lexemes = excluded.origin_lexemes,
            categories = excluded.categories,
            traits = excluded.traits,
            tokens = excluded.tokens,
            risk = excluded.risk,
            downrank = excluded.downrank,
            destroys = excluded.destroys,
            audience_id = excluded.audience_id,
            updated_at = core.now()
        returning c.id
    )

    select array_agg(w.id)
    into v_card_ids
    from written as w;

    with tokenized as materialized ( -- computed once, not separately for the document and its length
        select
            c.id,
            c.ref,
            case v_member
                when 'fields' then search.document(g.fields)
                else array_to_tsvector(search.name_lexemes(c.origin, c.label))
            end as document
        from jsonb_to_recordset(p_cards) as g (ref bigint, fields jsonb)
        inner join search.card as c on c.kind = p_kind and c.ref = g.ref
    )

    insert into search.lexical (card_id, kind, ref, document, length)
    select t.id, p_kind, t.ref, t.document, search.field_length(t.document, v_field_weights)
    from tokenized as t
    on conflict (card_id) do nothing;
    perform search.count_terms(p_kind, v_card_ids, 1);
    perform search.weigh(p_kind, v_card_ids);
    perform search.store_words(p_kind, v_card_ids);
    perform pg_notify('qm_cards', '');
    return cardinality(v_card_ids);
end
$function$;
comment on function search.put_cards(text, jsonb) is
'Creates or replaces cards of a kind. Then notifies the worker that computes vectors, on channel qm_cards. Arguments: '
'p_kind: kind of card; p_cards: JSON array of cards {ref, name, origin, label, brief, fields, embedding_text, '
'categories, traits, tokens, risk, downrank, destroys, audience}. ref (id of the row in the kind''s table), name and '
'fields (array of the texts of the kind''s fields, in order) are required; a kind that is indexed by names needs label '
'(the normalised name) instead of fields. audience is the id of the list of principals who alone may see the card. '
'Returns the number of cards. Raises QM404 kind_not_found, QM422 card_invalid.';
