-- search.renew_common_similarity: every installation writes the goals again. If they are the same as before, nothing is
-- recomputed.
-- Writes: search.common_similarity.
create or replace function search.renew_common_similarity()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_model_ids integer[];
begin
    if tg_op = 'INSERT' then
        v_model_ids := array(select m.id from search.model as m where m.name in (select w.model from written as w));
    elsif tg_op = 'DELETE' then
        v_model_ids := array(select m.id from search.model as m where m.name in (select r.model from replaced as r));
    else
        v_model_ids := array(
            select m.id
            from search.model as m
            where m.name in (
                select coalesce(w.model, r.model)
                from written as w
                full join replaced as r on r.model = w.model and r.number = w.number
                where w.vector::text is distinct from r.vector::text
            )
        );
    end if;
    if v_model_ids = '{}' then
        return null;
    end if;
    -- Vectors that other transactions are storing would be measured by the old goals.
    lock table search.embedding in share mode;
    delete from search.common_similarity as s where s.model_id = any(v_model_ids);
    insert into search.common_similarity (model_id, kind, text_hash, highest, mean)
    select e.model_id, e.kind, e.text_hash, c.highest, c.mean
    from search.embedding as e
    cross join lateral search.measure_common(e.model_id, e.vector) as c
    where e.model_id = any(v_model_ids);
    return null;
end
$function$;
comment on function search.renew_common_similarity() is
'Trigger that recomputes the similarities of all vectors of a model when the common goals of this model (vectors that '
'represent what people often ask for) have changed. It runs after each statement, and reads two transition tables: '
'"written" (new rows) and "replaced" (old rows).';
