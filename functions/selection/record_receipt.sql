create or replace function selection.record_receipt(
    p_kind text,
    p_goal text,
    p_mode text,
    p_session text,
    p_offered jsonb,
    p_duration_ms real,
    p_mode_label text default '',
    p_stages jsonb default '{}',
    p_withheld jsonb default '{}'
)
returns bigint
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_receipt_id bigint;
begin
    insert into selection.receipt (
        created_at, principal_id, session, kind, goal, mode, offered, duration_ms, mode_label, stages, withheld
    )
    values (
        core.now(),
        v_principal_id,
        p_session,
        p_kind,
        p_goal,
        p_mode,
        p_offered,
        p_duration_ms,
        p_mode_label,
        p_stages,
        p_withheld
    )
    returning id into v_receipt_id;

    if p_session is not null then
        insert into selection.exposure as e (session, principal_id, kind, ref, exposed_at)
        select p_session, v_principal_id, p_kind, (f.offer ->> 'ref')::bigint, core.now()
        from jsonb_array_elements(p_offered) as f (offer)
        on conflict (principal_id, session, kind, ref) do update set exposed_at = excluded.exposed_at;

        delete from selection.exposure as e
        where e.principal_id = v_principal_id
            and e.session = p_session
            and e.kind = p_kind
            and e.ref not in (
                select x.ref
                from selection.exposure as x
                where x.principal_id = v_principal_id and x.session = p_session and x.kind = p_kind
                order by x.exposed_at desc, x.ref
                limit (core.get_setting('exposure.limit'))::integer
            );
    end if;
    return v_receipt_id;
end
$function$;
comment on function selection.record_receipt(text, text, text, text, jsonb, real, text, jsonb, jsonb) is
'Stores the receipt (record) of a search. The receipt contains the goal, the cards that the search returned, and the '
'number of cards that each rule withheld. In a session, the function also adds the returned cards to the session''s '
'list. Arguments: p_kind: kind of card; p_goal: the goal; p_mode: name of the search mode; p_session: the session '
'(null: no session); p_offered: JSON array of the returned cards, with the members rank, name, ref, score, scores and '
'duplicates (the names of cards with the same meaning, which are not returned); '
'p_duration_ms: duration of the search in milliseconds; p_mode_label: label of the mode (selection.mode_label); '
'p_stages: duration of each stage in milliseconds; p_withheld: number of withheld cards for each rule. Returns the id '
'of the receipt.';
grant execute on function selection.record_receipt to qm_reader;
