-- lookup.read_query: reads a query to a lookup table once for all functions that need its parts.
create or replace function lookup.read_query(p_query text, p_meaning ext.vector, p_scope jsonb)
returns lookup.question
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $function$
declare
    v_table_id constant integer := (p_scope ->> 'table')::integer;
    v_label constant text := btrim(left(lookup.normalize(left(p_query, 1000)), 400));
    v_words constant text[] := (string_to_array(v_label, ' '))[1:24];
    v_names constant integer := (select t.names from lookup.lookup_table as t where t.id = v_table_id);
    v_question lookup.question;
begin
    select
        v_table_id,
        p_query,
        v_label,
        lookup.short_form(v_label),
        lookup.stem(v_label),
        v_words,
        array_agg(w.weight order by w.position),
        coalesce(sum(w.weight), 1),
        coalesce(bool_or(w.position = 1 and w.is_known), false),
        search.read_names('lookup', v_table_id::text, v_names, v_label),
        p_scope ->> 'language',
        nullif(lookup.facts(p_scope -> 'properties'), '{}'),
        p_meaning,
        case when p_meaning is not null then (select m.id from search.model as m where m.active) end
    into v_question
    from (
        select w.position, ln(1 + v_names / coalesce(t.cards, 0.7)::double precision)::real as weight, t.id is not null as is_known
        from unnest(v_words) with ordinality as w (word, position)
        left join search.term as t on t.kind = 'lookup' and t.lexeme = v_table_id || '=' || w.word and t.cards > 0
    ) as w;
    return v_question;
end
$function$;
comment on function lookup.read_query(text, ext.vector, jsonb) is 'Arguments: query; its vector, or null; scope, see lookup.candidates.';
