-- lookup.read_query: what a query to a lookup table says, read once for all who ask.
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
    v_question lookup.question;
    v_names integer;
begin
    v_question.table_id := (p_scope ->> 'table')::integer;
    v_question.text := p_query;
    v_question.label := btrim(left(lookup.normalize(left(p_query, 1000)), 400));
    v_question.short := lookup.short_form(v_question.label);
    v_question.stem := lookup.stem(v_question.label);
    v_question.words := (string_to_array(v_question.label, ' '))[1:24];
    v_question.language := p_scope ->> 'language';
    v_question.facts := nullif(lookup.facts(p_scope -> 'properties'), '{}');
    v_question.meaning := p_meaning;
    if p_meaning is not null then
        v_question.model_id := (select m.id from search.model as m where m.active);
    end if;
    select t.names into v_names from lookup.lookup_table as t where t.id = v_question.table_id;
    v_question.terms := search.read_names('lookup', v_question.table_id::text, v_names, v_question.label);
    select
        array_agg(w.weight order by w.position),
        coalesce(sum(w.weight), 1),
        coalesce(bool_or(w.position = 1 and w.is_known), false)
    into v_question.word_weights, v_question.words_most, v_question.is_known
    from (
        select w.position, ln(1 + v_names / coalesce(t.cards, 0.7)::double precision)::real as weight, t.id is not null as is_known
        from unnest(v_question.words) with ordinality as w (word, position)
        left join search.term as t on t.kind = 'lookup' and t.lexeme = v_question.table_id || '=' || w.word and t.cards > 0
    ) as w;
    return v_question;
end
$function$;
comment on function lookup.read_query(text, ext.vector, jsonb) is 'Arguments: query; its vector, or null; scope, see lookup.candidates.';
