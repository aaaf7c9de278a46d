-- service.relay_begin: commit the row before you send the request; service.call_end completes the row later. A denial
-- is not raised as an error, because an error would roll back the log entry of the denial.
-- Writes: calls.call, calls.breaker, policy.decision, policy.rights_class.
create or replace function service.relay_begin(
    method text,
    kind text,
    name text,
    argument_bytes integer,
    request_id text,
    instance uuid,
    of_origin text default null,
    started_at timestamptz default null,
    key uuid default null
)
returns table (
    call_id bigint,
    origin_id bigint,
    origin text,
    target text,
    unavailable_until timestamptz,
    unavailable_because text,
    is_trial boolean,
    terms jsonb
)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_service();
    v_toolset constant text := policy.toolset_name();
    v_found record;
    v_verdict policy.verdict;
    v_transport text;
    v_is_guarded boolean;
begin
    select f.* into v_found from catalog.find_item(relay_begin.kind, relay_begin.name, relay_begin.of_origin) as f;
    if v_found.origin_id is not null and v_found.status is distinct from 'deprecated' then
        v_verdict := policy.decide(v_principal_id, v_toolset, v_found.rights_class);
        perform policy.log_decision(
            v_principal_id,
            v_toolset,
            'call',
            relay_begin.kind,
            coalesce(v_found.item_id, 0),
            relay_begin.name,
            v_verdict
        );
    end if;
    if v_verdict.is_allowed is not true
        or policy.is_visible(v_found.rights_class, (select policy.visible_classes())) is not true
    then
        return next;
        return;
    end if;
    if v_found.status <> 'approved' then
        perform core.fail(
            search.kind_slug(array[relay_begin.kind], '_withheld'),
            format(
                case v_found.status when 'pending' then '%L is waiting for approval' else '%L is in quarantine' end,
                left(relay_begin.name, 200)
            )
        );
    end if;
    select o.name, o.transport into origin, v_transport from catalog.origin as o where o.id = v_found.origin_id;
    if v_transport = 'none' then
        perform core.fail('origin_not_callable', format('the origin %L is in the catalog, but not connected', origin));
    end if;
    insert into calls.call (
        key, started_at, principal_id, instance_id, request_id, method, kind, origin_id, target, argument_bytes
    )
    values (
        relay_begin.key,
        coalesce(relay_begin.started_at, core.now()),
        v_principal_id,
        relay_begin.instance,
        relay_begin.request_id,
        relay_begin.method,
        relay_begin.kind,
        v_found.origin_id,
        v_found.target,
        relay_begin.argument_bytes
    )
    returning id into call_id;
    v_is_guarded := exists (
        select from calls.breaker as b
        where b.origin_id = v_found.origin_id
            and b.state <> 'closed'
            and (b.principal_id is null or b.principal_id = v_principal_id)
    );
    if v_is_guarded then
        select g.unavailable_until, g.unavailable_because
        into unavailable_until, unavailable_because
        from calls.pass_breaker(v_found.origin_id, call_id, v_principal_id) as g;
    end if;
    is_trial := v_is_guarded and unavailable_until is null;
    origin_id := v_found.origin_id;
    target := v_found.target;
    terms := jsonb_build_object('guardrails', policy.guardrails_of(v_principal_id, v_toolset, origin));
    return next;
end
$function$;
comment on function service.relay_begin(text, text, text, integer, text, uuid, text, timestamptz, uuid) is
'Records the start of a read of a resource or a prompt, and checks whether the caller may read that item. Arguments: '
'method: name of the protocol method; kind: kind of the item (resource, resource_template or prompt); name: public '
'name of the item, or the origin''s own name for the item if of_origin is given; argument_bytes: size of the arguments '
'in bytes; request_id: id of the request; instance: id of the calling process; of_origin: name of the origin (null: '
'name is a public name); started_at: start time of the read; key: key of the record that the process keeps in case the '
'database becomes unavailable during the read. Returns: the id of the read in the call log; the origin; the origin''s '
'name for the item; the time until which the origin''s circuit breaker blocks the read, and the reason (both null: no '
'breaker is open); whether this read tests an origin that failed before; and the terms, which contain the guardrails '
'for this caller (policy.guardrails_of). Returns a row of nulls if the caller may not use an item of this name. Raises '
'QM409 origin_not_callable, asset_withheld. Can be null: unavailable_until, unavailable_because, call_id, origin_id, '
'origin, target, is_trial.';
grant execute on function service.relay_begin to qm_service, qm_user;
