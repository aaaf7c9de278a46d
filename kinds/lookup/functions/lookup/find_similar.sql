-- lookup.find_similar: in a small table, it compares all names. In a large table, the scan of the HNSW index continues
-- until it has found enough names of this table (iterative scan), because all tables share the index.
-- Only functions that check visibility may call this function, because vectors contain no rights.
create or replace function lookup.find_similar(p_table_id integer, p_meaning ext.vector, p_limit integer)
returns table (card_id bigint)
language plpgsql
stable parallel unsafe security invoker
rows 30
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table text;
    v_names integer;
    v_model_id integer;
    v_dimension integer;
begin
    select t.name, t.names into v_table, v_names from lookup.lookup_table as t where t.id = p_table_id;
    select m.id, m.dimension into v_model_id, v_dimension from search.goal_model() as m;
    if v_names <= 1000 then
        return query
        select c.id
        from search.card as c
        inner join search.embedding as e on e.model_id = v_model_id and e.kind = 'lookup' and e.text_hash = c.text_hash
        where c.kind = 'lookup' and c.origin = v_table
        order by e.vector operator(ext.<=>) p_meaning, c.id
        limit p_limit;
        return;
    end if;
    perform set_config('hnsw.ef_search', greatest(64, 2 * p_limit)::text, true);
    perform set_config('hnsw.iterative_scan', 'relaxed_order', true);
    return query execute format(
        'select c.id from search.embedding as e inner join search.card as c on c.text_hash = e.text_hash '
        'where e.kind = ''lookup'' and e.model_id = %s and c.kind = ''lookup'' and c.origin = $1 '
        'order by e.vector::ext.halfvec(%s) operator(ext.<=>) $2::ext.halfvec limit $3',
        v_model_id,
        v_dimension
    ) using v_table, p_meaning, p_limit;
end
$function$;
comment on function lookup.find_similar(integer, ext.vector, integer) is
'Compares the vectors of the names in a table with the vector of a query, and finds the nearest names. Arguments: '
'p_table_id: id of the lookup table; p_meaning: vector of the query in the model of search.goal_model(); p_limit: '
'maximum number of names. Returns the cards of the names, nearest first.';
