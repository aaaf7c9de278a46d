-- policy.version_document: the rules are returned in the form in which their author wrote them.
create or replace function policy.version_document(p_version_id integer)
returns jsonb
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_document jsonb;
begin
    select
        jsonb_build_object(
            'version', v.id,
            'note', v.note,
            'default', v.default_effect,
            'is_active', v.is_active,
            'is_pinned', v.is_pinned,
            'created_at', v.created_at,
            'rules', (
                select coalesce(
                    jsonb_agg(
                        jsonb_build_object('effect', r.effect, 'subject', r.subject)
                        || case when r.reason = '' then '{}' else jsonb_build_object('reason', r.reason) end
                        || m.object
                        order by r.position
                    ),
                    '[]'
                )
                from policy.rule as r
                inner join policy.matcher as m on m.id = r.matcher_id
                where r.version_id = v.id
            ),
            'guardrails', v.guardrails
        )
        || case when v.repairs is null then '{}' else jsonb_build_object('repairs', v.repairs) end
    into v_document
    from policy.rule_version as v
    where v.id = p_version_id;
    if v_document is null then
        perform core.fail(
            'rules_not_found', format('the rules have no version %s', coalesce(p_version_id::text, 'null'))
        );
    end if;
    return v_document;
end
$function$;
comment on function policy.version_document(integer) is
'Converts a version of the rules to JSON. Argument p_version_id: number of the version. Returns a JSON object with the '
'data of the version, such as its number, note and default, and with the arrays rules, guardrails and, if the version '
'says something about repairs, repairs. Raises QM404 rules_not_found.';
grant execute on function policy.version_document to qm_reader;
