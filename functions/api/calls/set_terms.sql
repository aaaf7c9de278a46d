-- Writes: calls.terms.
create or replace function api.set_terms(name text, terms jsonb, dry_run boolean default false)
returns jsonb
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_item_id constant bigint := catalog.item_id(
        array(select k.name from search.kind as k where k.outcomes = 'called'), set_terms.name
    );
    v_given constant jsonb := jsonb_strip_nulls(set_terms.terms);
    v_problem constant text := coalesce(
        calls.terms_problem(v_given),
        (
            select calls.unknown_argument(v_given, i.definition -> 'input_schema')
            from catalog.item as i
            where i.id = v_item_id
        )
    );
    v_terms jsonb;
begin
    if v_problem is not null then
        perform core.fail('terms_invalid', v_problem);
    end if;
    select jsonb_strip_nulls(
        coalesce((select s.terms from calls.terms as s where s.item_id = v_item_id), '{}') || set_terms.terms
    )
    into v_terms;
    if v_terms ? 'cache_s' and v_terms @> '{"is_read_only": false}' then
        perform core.fail(
            'terms_invalid', format('%L cannot be cached, because it may do more than read data', set_terms.name)
        );
    end if;
    if not set_terms.dry_run then
        insert into calls.terms as s (item_id, version, terms, set_at, set_by)
        select i.id, i.version, v_terms, core.now(), v_principal_id
        from catalog.item as i
        where i.id = v_item_id
        on conflict (item_id) do update
        set version = excluded.version, terms = excluded.terms, set_at = excluded.set_at, set_by = excluded.set_by;
        -- Stored answers are deleted, because an answer that was stored under other terms must not be used again.
        delete from calls.answer as a where a.item_id = v_item_id and a.kind = 'cache';
    end if;
    return v_terms;
end
$function$;
comment on function api.set_terms(text, jsonb, boolean) is
'Sets terms (limits and rules) for the calls of a tool. Arguments: name: callable name of the tool; terms: JSON object '
'with the terms to set (timeout_s, arguments_bytes, arguments_depth, result_bytes, page_characters, attempts, masked, '
'key_argument, is_read_only, is_idempotent, cache_s, is_public), where null restores the default of a term; dry_run: '
'true to preview the change without making it. A list of masked arguments replaces the previous list. All names in it '
'must be in the schema of the tool. Returns all terms that are set for the tool. Raises QM404 tool_not_found, QM422 '
'terms_invalid.';
grant execute on function api.set_terms to qm_operator;
