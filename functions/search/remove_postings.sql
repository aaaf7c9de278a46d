-- search.remove_postings: the caller must hold the kind's lock.
-- Writes: search.posting, search.name_posting.
create or replace function search.remove_postings(p_kind text, p_card_ids bigint[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if (select k.index_type = 'names' from search.kind as k where k.name = p_kind) then
        perform search.remove_places(p_kind, p_card_ids);
        return;
    end if;
    with block as materialized (
        select b.block, v.kept
        from (select distinct c.id / 2048 as block from unnest(p_card_ids) as c (id)) as b
        cross join lateral (
            select array_agg((b.block * 2048 + i <> all(p_card_ids))::integer order by i)::ext.vector as kept
            from generate_series(0, 2047) as i
        ) as v
    ),

    listed as (
        select distinct t.id as term_id, l.card_id / 2048 as block
        from search.lexical as l
        cross join unnest(tsvector_to_array(l.document)) as u (lexeme)
        inner join search.term as t on t.kind = p_kind and t.lexeme = u.lexeme
        where l.card_id = any(p_card_ids)
    ),

    remaining as (
        select p.term_id, p.block, (p.weights::ext.vector operator(ext.*) b.kept)::ext.sparsevec as weights
        from listed as d
        inner join block as b on b.block = d.block
        inner join search.posting as p on p.term_id = d.term_id and p.block = d.block
    ),

    emptied as (
        delete from search.posting as p
        using remaining as r
        where p.term_id = r.term_id and p.block = r.block and ext.l2_norm(r.weights) = 0
    )

    update search.posting as p
    set weights = r.weights
    from remaining as r
    where p.term_id = r.term_id and p.block = r.block and ext.l2_norm(r.weights) > 0;
end
$function$;
comment on function search.remove_postings(text, bigint[]) is
'Removes cards from the postings, which are lists of the cards that contain a token. Empty lists are deleted. '
'Arguments: p_kind: kind of card; p_card_ids: ids of the cards. The documents of these cards must still exist.';
