-- lookup.switch_vectors: when vectors are switched on, the service computes them later, as for other cards. When
-- vectors are switched off, the function deletes the weights for vectors, and all vectors that no other table needs.
-- Writes: search.card, search.embedding, lookup.lookup_table, search.coefficient.
create or replace function lookup.switch_vectors(p_table_id integer, p_has_vectors boolean)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table text;
    v_old_texts bytea[];
begin
    perform search.lock_kind('lookup');
    update lookup.lookup_table as t
    set has_vectors = p_has_vectors, version = t.version + 1
    where t.id = p_table_id and t.has_vectors <> p_has_vectors
    returning t.name into v_table;
    if v_table is null then
        return;
    end if;
    v_old_texts := array(select c.text_hash from search.card as c where c.kind = 'lookup' and c.origin = v_table);
    update search.card as c
    set embedding_text = e.text, text_hash = sha256(convert_to(e.text, 'UTF8'))
    from search.card as x
    cross join lateral (select case when p_has_vectors then x.name else '' end as text) as e
    where x.id = c.id and x.kind = 'lookup' and x.origin = v_table;
    perform search.forget_vectors('lookup', v_old_texts);
    if p_has_vectors then
        perform pg_notify('qm_cards', '');
    else
        perform search.put_coefficients('lookup', 'vectors:' || v_table, '{}');
    end if;
end
$function$;
comment on function lookup.switch_vectors(integer, boolean) is
'Switches the vectors of the names in a lookup table on or off. Arguments: p_table_id: id of the lookup table; '
'p_has_vectors: true if the names are to have vectors.';
