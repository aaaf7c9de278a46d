-- knowledge.waiting_passages: lists the visible passages that cannot be compared by meaning yet, because the vector of their
-- text or of one of their questions is missing. Usually it is known that none is missing, and then nothing is read.
-- The function runs with the rights of its owner (security definer), because nobody may read vectors.
create or replace function knowledge.waiting_passages()
returns table (passage_id bigint)
language plpgsql
stable parallel safe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    if search.is_embedded('passage') and search.is_embedded('question') then
        return;
    end if;
    return query
    select distinct coalesce(q.passage_id, c.ref)
    from search.model as m
    cross join search.card as c
    left join knowledge.question as q on c.kind = 'question' and q.id = c.ref
    where m.active
        and c.kind in ('passage', 'question')
        and policy.is_visible(c.rights_class, (select policy.visible_classes()))
        and not exists (
            select from search.embedding as e where e.model_id = m.id and e.text_hash = c.text_hash and e.kind = c.kind
        );
end
$function$;
comment on function knowledge.waiting_passages() is
'Lists the passages that have no vector from the active model yet, and those with a question that has none. Returns the '
'ids of the passages. Returns nothing if no model is active.';
grant execute on function knowledge.waiting_passages to qm_reader;
