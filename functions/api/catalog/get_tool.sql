-- api.get_tool: everything there is to know of one tool, withheld or not: for whoever decides on it.
-- Executable by operators; row policies decide which tools they see.
-- Raises: QM404 tool_not_found.
create or replace function api.get_tool(name text)
returns jsonb
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_tool_id bigint;
begin
    perform policy.require_principal();
    v_tool_id := catalog.tool_id(get_tool.name);
    return (
        select
            to_jsonb(t) - '{id,origin_id,content_hash,skeleton}'::text[]
            || jsonb_build_object(
                'origin', o.name,
                'content_hash', encode(t.content_hash, 'hex'),
                'versions', (
                    select jsonb_agg(
                        jsonb_build_object(
                            'version', v.version, 'valid_from', v.valid_from, 'valid_to', v.valid_to, 'approved_at', v.approved_at,
                            'approved_by', p.name, 'content_hash', encode(v.content_hash, 'hex')
                        ) order by v.version
                    )
                    from catalog.tool_version as v
                    left join policy.principal as p on p.id = v.approved_by
                    where v.tool_id = t.id
                ),
                'findings', (
                    select coalesce(
                        jsonb_agg(to_jsonb(f) - 'tool_id' || jsonb_build_object('meaning', r.meaning) order by f.version desc, f.severity, f.rule, f.member), '[]'
                    )
                    from catalog.finding as f
                    inner join catalog.scan_rule as r on r.name = f.rule
                    where f.tool_id = t.id and f.version = t.version
                ),
                'probes', (
                    select coalesce(jsonb_agg(to_jsonb(b) - 'tool_id' order by b.probed_at desc, b.call_id desc), '[]')
                    from (
                        select b.* from calls.probe as b where b.tool_id = t.id order by b.probed_at desc, b.call_id desc limit 20
                    ) as b
                )
            )
        from catalog.tool as t
        inner join catalog.origin as o on o.id = t.origin_id
        where t.id = v_tool_id
    );
end
$function$;
comment on function api.get_tool(text) is
'Argument: callable name. JSON: the columns of catalog.tool, origin, versions [{version, valid_from, valid_to, approved_at, approved_by, content_hash}], findings of the newest version [{rule, member, severity, evidence, meaning, found_at}], the newest probes [{tool_version, example, is_honest, problem, probed_at}].';
grant execute on function api.get_tool to qm_operator;
