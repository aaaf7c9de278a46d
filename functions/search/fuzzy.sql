-- search.fuzzy: labels are compared by trigrams, so that mistyped or half-remembered names are found. A goal that is
-- longer than the setting fuzzy.max_goal_length is not a name, so the function returns nothing.
-- Definer: with the row policy of search.card, PostgreSQL would not use the index, because the operator % is not
-- leakproof. Callers still get only cards that they may see, because the function checks policy.is_visible.
create or replace function search.fuzzy(p_kind text, p_query text, p_limit integer)
returns table (card_id bigint, similarity real)
language plpgsql
stable parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_label constant text := search.fold_label(p_query);
begin
    perform policy.require_principal();
    if p_limit < 1 or length(v_label) > (core.get_setting('fuzzy.max_goal_length'))::integer then
        return;
    end if;
    return query execute format(
        'select c.id, ext.similarity(c.label, $1) from search.card as c'
        ' where c.kind = %L and c.label operator(ext.%%) $1'
        ' and policy.is_visible(c.rights_class, (select policy.visible_classes()))'
        ' order by 2 desc, 1 limit $2',
        p_kind
    ) using v_label, p_limit;
end
$function$;
comment on function search.fuzzy(text, text, integer) is
'Finds cards whose label is similar to the goal. The trigram similarity of the label and the goal is at least 0.3. '
'Arguments: p_kind: kind of card; p_query: the goal; p_limit: maximum number of cards. Returns the cards, best first.';
grant execute on function search.fuzzy to qm_reader;
