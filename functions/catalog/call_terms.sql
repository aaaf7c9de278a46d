-- catalog.call_terms: a call is safe to repeat if an operator said so for this version of the tool. It is also safe if
-- three conditions are met: the tool itself says so, the setting call.terms trusts such claims, and no probe has
-- disproved the claim. It is not enough if only the client says so. A tool whose claims contradict each other
-- (catalog.careful_hints) is not believed; in particular, a tool that calls itself read-only but not idempotent is not
-- repeated. Only tools that just read data can have a cache, and only for the version for which the cache was set.
create or replace function catalog.call_terms(p_item_id bigint)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select
        u.common || u.own || jsonb_build_object(
            'is_read_only', r.is_read_only,
            'may_repeat', r.is_read_only
                and (coalesce((u.own ->> 'is_read_only')::boolean, false) or not u.hints @> '{"idempotentHint": false}')
            or coalesce((u.own ->> 'is_idempotent')::boolean, u.is_believed and u.hints @> '{"idempotentHint": true}'),
            'cache_s', case when r.is_read_only then u.own -> 'cache_s' end
        )
    from (
        select
            d.value as common,
            h.hints,
            d.value @> '{"believes": true}'
                and i.dishonesty = 0
                and h.hints is not distinct from i.definition -> 'annotations' as is_believed,
            case
                when s.version = i.version then s.terms
                else coalesce(s.terms, '{}') - '{is_read_only,is_idempotent,key_argument,cache_s,is_public}'::text[]
            end as own
        from catalog.item as i
        inner join core.setting as d on d.name = 'call.terms'
        left join calls.terms as s on s.item_id = i.id
        cross join catalog.careful_hints(i.definition -> 'annotations') as h (hints)
        where i.id = p_item_id
    ) as u
    cross join lateral (
        select coalesce(
            (u.own ->> 'is_read_only')::boolean, u.is_believed and u.hints @> '{"readOnlyHint": true}'
        ) as is_read_only
    ) as r;
$function$;
comment on function catalog.call_terms(bigint) is
'Returns the terms that apply to calls of a tool: limits, arguments to hide in logs, whether a call may be repeated, '
'and whether a call may be answered from the cache. Argument p_item_id: id of the tool. Returns {timeout_s, '
'arguments_bytes, arguments_depth, result_bytes, page_characters, attempts, masked, key_argument, is_read_only, '
'may_repeat, cache_s, is_public}. Terms that nobody set come from the setting call.terms, or are omitted.';
grant execute on function catalog.call_terms to qm_reader;
