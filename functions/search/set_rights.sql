-- Writes: search.card.
create or replace function search.set_rights(p_kind text, p_refs bigint[], p_classes integer[])
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    update search.card as c
    set rights_class = g.rights_class
    from unnest(p_refs, p_classes) as g (ref, rights_class)
    where c.kind = p_kind and c.ref = g.ref and c.rights_class is distinct from g.rights_class;
$function$;
comment on function search.set_rights(text, bigint[], integer[]) is
'Sets the rights classes of cards of one kind. (The same access rules apply to all cards in a rights class.) Only '
'classes that change are written. Arguments: p_kind: kind of card; p_refs: ids of the cards in the table of the kind; '
'p_classes: rights class of each card.';
