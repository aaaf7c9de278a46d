-- catalog.asset_id: id of a resource, template or prompt that the asking principal may see under the policies, whatever its status.
-- Raises: QM404 asset_not_found, QM409 asset_ambiguous.
create or replace function catalog.asset_id(p_name text, p_kind text)
returns bigint
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_ids constant bigint[] := array(
        select a.id
        from catalog.asset as a
        where a.public_name = p_name
            and (p_kind is null or a.kind = p_kind)
            and policy.is_visible(a.rights_class, (select policy.visible_classes()))
    );
begin
    if v_ids = '{}' then
        perform core.fail('asset_not_found', format('there is no resource, template or prompt called %L', left(p_name, 200)));
    end if;
    if cardinality(v_ids) > 1 then
        perform core.fail('asset_ambiguous', format('%L is the name of several kinds', left(p_name, 200)));
    end if;
    return v_ids[1];
end
$function$;
comment on function catalog.asset_id(text, text) is 'Arguments: public name; kind (resource, resource_template, prompt, instructions), null for whichever has it. Returns its id, or raises QM404 asset_not_found.';
grant execute on function catalog.asset_id to qm_operator;
