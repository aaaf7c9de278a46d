-- search.count_unembedded: kinds that are known to have all their vectors are skipped. Counting is therefore quick
-- enough to be done for every search. The answer can then say how many texts were not compared by meaning.
create or replace function search.count_unembedded(p_kind text default null)
returns bigint
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_kinds constant text[] := array(
        select k.name
        from search.kind as k
        where k.name = coalesce(p_kind, k.name) and search.is_embedded(k.name) is not true
    );
begin
    perform policy.require_principal();
    if v_kinds = '{}' then
        return 0;
    end if;
    return (
        select count(distinct c.text_hash)
        from search.model as m
        cross join search.card as c
        where m.active
            and c.kind = any(v_kinds)
            and policy.is_visible(c.rights_class, (select policy.visible_classes()))
            and not exists (
                select from search.embedding as e
                where e.model_id = m.id and e.text_hash = c.text_hash and e.kind = c.kind
            )
    );
end
$function$;
comment on function search.count_unembedded(text) is
'Counts the texts of cards that have no vector from the active model. Argument p_kind: kind of card (null: all kinds). '
'Returns the number of texts. Returns 0 if no model is active.';
grant execute on function search.count_unembedded to qm_reader;
