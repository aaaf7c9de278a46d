-- search.remove_places: only search.remove_postings calls it.
-- Writes: search.name_posting.
create or replace function search.remove_places(p_kind text, p_card_ids bigint[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
set enable_nestloop = off -- the planner cannot know how many names there are
as $function$
begin
    with listed as materialized (
        select distinct t.id as term_id, l.card_id / 32768 as block
        from unnest(p_card_ids) as g (id)
        inner join search.lexical as l on l.card_id = g.id
        cross join unnest(tsvector_to_array(l.document)) as u (lexeme)
        inner join search.term as t on t.kind = p_kind and t.lexeme = u.lexeme
    ),

    remaining as materialized (
        select d.term_id, d.block, array_agg(x.place) as places
        from listed as d
        inner join search.name_posting as p on p.term_id = d.term_id and p.block = d.block
        cross join unnest(p.places) as x (place)
        where not exists (select from unnest(p_card_ids) as g (id) where g.id = d.block * 32768 + x.place)
        group by 1, 2
    ),

    emptied as (
        delete from search.name_posting as p
        using listed as d
        where p.term_id = d.term_id
            and p.block = d.block
            and not exists (select from remaining as r where r.term_id = d.term_id and r.block = d.block)
    )

    update search.name_posting as p
    set places = r.places
    from remaining as r
    where p.term_id = r.term_id and p.block = r.block;
end
$function$;
comment on function search.remove_places(text, bigint[]) is
'Removes cards from the postings (lists of the cards that contain a token), for a kind that is indexed by names. For '
'other kinds, search.remove_postings does this. Arguments: p_kind: kind of card; p_card_ids: ids of the cards. The '
'documents of these cards must still exist.';
