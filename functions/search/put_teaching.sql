-- search.put_teaching: two people who teach the same goal at the same time do not fail; the later one decides.
-- Writes: search.teaching, search.teaching_vector.
create or replace function search.put_teaching(
    p_kind text, p_goal text, p_vector ext.vector, p_ref bigint, p_instead_of bigint, p_reason text
)
returns bigint
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_organisation_id constant bigint := policy.organisation_id();
    v_model constant search.model := search.goal_model();
    v_vector constant ext.vector := (search.split_vector(p_vector))[1];
    v_most constant integer := core.get_setting('teaching.limit')::integer;
    v_id bigint;
begin
    if ext.vector_dims(v_vector) <> v_model.dimension then
        perform core.fail(
            'dimension_mismatch',
            format(
                'the query vector has %s dimensions, but the model %s has %s',
                ext.vector_dims(v_vector),
                v_model.name,
                v_model.dimension
            )
        );
    end if;
    if (
        select count(*)
        from search.teaching as t
        where coalesce(t.organisation_id, 0) = coalesce(v_organisation_id, 0)
            and t.kind = p_kind
            and t.goal_hash <> search.goal_hash(p_goal)
    ) >= v_most then
        perform core.fail(
            'teachings_full', format('there are %s teachings already, and the limit is %s', v_most, v_most)
        );
    end if;
    insert into search.teaching as t (
        organisation_id, kind, goal, goal_hash, ref, instead_of, reason, created_by, created_at
    )
    values (
        v_organisation_id,
        p_kind,
        p_goal,
        search.goal_hash(p_goal),
        p_ref,
        p_instead_of,
        left(coalesce(p_reason, ''), 2000),
        policy.require_principal(),
        core.now()
    )
    on conflict (coalesce(organisation_id, 0), kind, goal_hash) do update
    set
        goal = excluded.goal,
        ref = excluded.ref,
        instead_of = excluded.instead_of,
        reason = excluded.reason,
        created_by = excluded.created_by,
        created_at = excluded.created_at
    returning t.id into v_id;
    if v_model.id is not null and v_vector is not null then
        insert into search.teaching_vector as v (model_id, teaching_id, vector)
        values (v_model.id, v_id, v_vector)
        on conflict (teaching_id, model_id) do update set vector = excluded.vector;
    end if;
    return v_id;
end
$function$;
comment on function search.put_teaching(text, text, ext.vector, bigint, bigint, text) is
'Stores which card is right for a goal, for the caller''s organisation. A teaching for the same goal is replaced. '
'Arguments: p_kind: kind of card; p_goal: the goal; p_vector: unit vector of the goal in the model of the goal (null: '
'the service computes it later); p_ref: the right card; p_instead_of: a wrong card (null: none); p_reason: reason for '
'the teaching. Returns the id of the teaching. Raises QM409 teachings_full, QM422 dimension_mismatch.';
