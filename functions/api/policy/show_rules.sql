create or replace function api.show_rules(version integer default null, as_of timestamptz default null)
returns jsonb
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select core.require_past(show_rules.as_of);
    select policy.version_document(
        coalesce(
            show_rules.version,
            (
                select a.version_id
                from policy.rule_activation as a
                where a.valid_from <= coalesce(show_rules.as_of, 'infinity')
                    and (a.valid_to is null or a.valid_to > show_rules.as_of)
                order by a.valid_from desc, a.id desc
                limit 1
            )
        )
    );
$function$;
comment on function api.show_rules(integer, timestamptz) is
'Shows a version of the rules in the form in which the version was written. Arguments: version: number of the version; '
'as_of: a time, to show the version that was active then (without both arguments: the active version). Returns JSON '
'{version, note, default, is_active, is_pinned, created_at, rules, guardrails, repairs}. The members rules, guardrails '
'and repairs have the form that apply_rules takes; repairs is missing if the version says nothing about '
'repairs. Raises QM404 rules_not_found, QM422 argument_invalid.';
alter function api.show_rules owner to qm_reader;
grant execute on function api.show_rules to qm_operator;
