-- audit.details: the record of a new version of the rules also contains these rules, so that one record describes the
-- whole change. Otherwise, a version with a thousand rules would need a thousand records.
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
comment on function audit.details(text, jsonb) is
'Collects data about a new row from other tables: the rules of a version, or the conditions of a toolset. Arguments: '
'p_table: name of the table without its schema; p_row: the row. Returns this data as JSON, to be added to the row '
'(null: other tables store nothing about this row).';
