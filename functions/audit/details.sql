-- audit.details: what a new row stands for and does not hold itself: the rules of a version, what a toolset pins.
-- So one record tells the whole of it, where a record for each rule would tell a thousand pieces.
create or replace function audit.details(p_table text, p_row jsonb)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select
        case p_table
            when 'rule_version' then
                (
                    select jsonb_build_object('rules', policy.version_document(v.id) -> 'rules')
                    from policy.rule_version as v
                    where v.id = (p_row ->> 'id')::integer
                )
            when 'toolset' then
                (
                    select jsonb_build_object('pinned', m.object)
                    from policy.matcher as m
                    where m.id = (p_row ->> 'matcher_id')::integer
                )
        end;
$function$;
comment on function audit.details(text, jsonb) is 'Arguments: table without its schema; its row. Returns further members for the record; null where the row says all.';
