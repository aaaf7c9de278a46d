-- catalog.put_repair: a preview does everything, and then takes it back. So it cannot differ from the change itself.
-- What no longer fits is refused, except by an undo: that brings back what was there. So an undo is not checked for
-- mistakes, which an earlier version may have accepted. It is scanned, because the rules of the scan protect callers.
-- Writes: what catalog.store_repair writes.
create or replace function catalog.put_repair(
    p_origin_id bigint, p_tool text, p_changes jsonb, p_undo boolean, p_reason text, p_dry_run boolean
)
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_current catalog.repair;
    v_earlier catalog.repair;
    v_changes jsonb;
    v_problem text;
    v_before jsonb;
    v_result jsonb;
    v_is_previewed boolean := false;
begin
    perform policy.lock_rights(false);
    perform from catalog.origin as o where o.id = p_origin_id for no key update;
    select *
    into v_current
    from catalog.repair as r
    where r.origin_id = p_origin_id and r.tool is not distinct from p_tool and r.is_current;
    if p_undo then
        select *
        into v_earlier
        from catalog.repair as r
        where r.origin_id = p_origin_id
            and r.tool is not distinct from p_tool
            and r.version = v_current.earlier_version;
        v_changes := coalesce(v_earlier.changes, '{}');
        if coalesce(v_current.changes, '{}') = '{}' and v_earlier.id is null then
            perform core.fail('repair_not_found', 'there is no repair to undo');
        end if;
    else
        if jsonb_typeof(p_changes) is distinct from 'object'
            or jsonb_typeof(p_changes -> 'arguments') not in ('object', 'null')
            or p_changes @? 'strict $.arguments.* ? (@.type() != "object" && @.type() != "null")'
        then
            perform core.fail('repair_invalid', 'the changes, and each change of an argument, must be JSON objects');
        end if;
        v_changes := catalog.merge_repair(coalesce(v_current.changes, '{}'), p_changes);
    end if;
    v_problem := catalog.repair_problem(v_changes, p_tool is null);
    if v_problem is not null and not p_undo then
        perform core.fail('repair_invalid', v_problem);
    end if;
    v_problem := catalog.scan_repair(v_changes);
    if v_problem is not null then
        perform core.fail('repair_suspicious', format('%s in the texts of the repair', v_problem));
    end if;

    select coalesce(jsonb_object_agg(i.id, i.definition), '{}')
    into v_before
    from catalog.item as i
    where i.origin_id = p_origin_id and i.kind = 'tool' and (p_tool is null or i.name = p_tool);
    begin
        perform catalog.store_repair(
            p_origin_id,
            p_tool,
            v_changes,
            p_reason,
            policy.principal_id(),
            v_current.version,
            case when p_undo then v_earlier.earlier_version else v_current.version end
        );
        select coalesce(
            jsonb_agg(
                jsonb_build_object('tool', d.public_name, 'member', d.path, 'before', d.before, 'after', d.after)
                order by d.public_name collate core.c_utf8, d.path collate core.c_utf8
            ),
            '[]'
        )
        into v_result
        from catalog.repaired_members(v_before) as d
        where policy.is_visible(d.rights_class, (select policy.visible_classes()));
        select string_agg(format('%s: %s', i.public_name, a.sentence), '; ' order by i.public_name, a.position)
        into v_problem
        from jsonb_each(v_before) as b
        inner join catalog.item as i on i.id = b.key::bigint
        cross join lateral jsonb_array_elements_text(i.definition #> '{repair,aside}') with ordinality
            as a (sentence, position)
        where (b.value #> '{repair,aside}' ? a.sentence) is not true;
        if v_problem is not null and not p_undo then
            perform core.fail('repair_invalid', v_problem);
        end if;
        if p_dry_run then
            v_is_previewed := true;
            perform core.fail('repair_invalid', 'taken back');
        end if;
    exception
        when sqlstate 'QM422' then
            if not v_is_previewed then
                raise;
            end if;
    end;
    return v_result;
end
$function$;
comment on function catalog.put_repair(bigint, text, jsonb, boolean, text, boolean) is
'Stores a new version of a repair, and applies it. Arguments: p_origin_id: id of the origin; p_tool: the origin''s own '
'name of the tool (null: all tools of the origin); p_changes: the changes to add, in which null removes a change (see '
'catalog.merge_repair); p_undo: true to bring back the state before the newest change instead; p_reason: reason for '
'the change; p_dry_run: true to preview the change without making it. Returns a JSON array of {tool, member, before, '
'after}: what changes in which definition. Raises QM404 repair_not_found, QM422 repair_invalid, repair_suspicious.';
