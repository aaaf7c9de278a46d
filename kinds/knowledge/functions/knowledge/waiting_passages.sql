-- knowledge.waiting_passages: these passages cannot be compared by meaning yet. If search.is_embedded says that no
-- vector is missing, no passage is read, so the function is usually fast. A caller that needs no exact number sets
-- p_most.
create or replace function knowledge.waiting_passages(p_domain text default null, p_most integer default null)
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
    select distinct w.id
    from (
        select coalesce(q.passage_id, c.ref) as id
        from search.model as m
        cross join search.card as c
        left join knowledge.question as q on c.kind = 'question' and q.id = c.ref
        where m.active
            and c.kind in ('passage', 'question')
            and c.origin = coalesce(p_domain, c.origin)
            and policy.is_visible(c.rights_class, (select policy.visible_classes()))
            and not exists (
                select from search.embedding as e
                where e.model_id = m.id and e.text_hash = c.text_hash and e.kind = c.kind
            )
        limit p_most
    ) as w;
end
$function$;
comment on function knowledge.waiting_passages(text, integer) is
'Lists the passages that have no vector from the active model yet, and the passages with a question that has no such '
'vector. Arguments: p_domain: name of a domain (null: all domains); p_most: number of texts without a vector after '
'which to stop (null: look for all). Returns the ids of the passages. Returns nothing if no model is active.';
grant execute on function knowledge.waiting_passages to qm_reader;
