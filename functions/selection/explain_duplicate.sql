-- selection.explain_duplicate: only search.search decides which cards have the same meaning. If the search for the goal
-- did not find the card, a search for the card itself decides.
-- Definer: vectors have a row policy of their own; search.search finds visible cards only.
create or replace function selection.explain_duplicate(
    p_kind text, p_card_id bigint, p_found search.found[], p_mode selection.mode, p_has_vector boolean
)
returns jsonb
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_found search.found[] := p_found;
    v_name text;
    v_vector ext.vector;
    v_first text;
begin
    perform policy.require_principal();
    if p_has_vector
        and not exists (select from unnest(p_found) as f where p_card_id = any(f.twins || f.card_id))
    then
        select c.name, e.vector
        into v_name, v_vector
        from search.card as c
        inner join search.embedding as e
            on e.kind = c.kind and e.text_hash = c.text_hash and e.model_id = (search.goal_model()).id
        where c.id = p_card_id and policy.is_visible(c.rights_class, (select policy.visible_classes()));
        if v_vector is not null then
            v_found := selection.prefer_available(
                p_kind, selection.find_candidates(p_kind, v_name, v_vector, p_mode)
            );
        end if;
    end if;
    select c.name
    into v_first
    from unnest(v_found) as f
    inner join search.card as c on c.id = f.card_id
    where p_card_id = any(f.twins) and policy.is_visible(c.rights_class, (select policy.visible_classes()));
    return case
        when v_first is not null then jsonb_build_object(
            'reason', 'duplicate',
            'detail', jsonb_build_object('of', v_first),
            'remedy', format('Use %s, which has the same name and means the same.', v_first)
        )
    end;
end
$function$;
comment on function selection.explain_duplicate(text, bigint, search.found[], selection.mode, boolean) is
'Explains which card stands for a card that has the same name and the same meaning. Arguments: p_kind: kind of card; '
'p_card_id: the card; p_found: the candidates of the search; p_mode: the search mode; p_has_vector: whether the goal '
'has a vector (without one, no duplicates are left out). Returns {reason, detail, remedy}, or null if no other card '
'stands for this one.';
grant execute on function selection.explain_duplicate to qm_reader;
