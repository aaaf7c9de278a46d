-- policy.put_version: the detail of an error gives its location, such as rules[2].origins, so that the author of the
-- file can find the line.
-- Writes: policy.rule_version, policy.rule, policy.matcher.
create or replace function policy.put_version(p_definition jsonb, p_note text default '')
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_key text;
    v_wrong record;
    v_default constant text := coalesce(p_definition ->> 'default', core.get_setting('policy.default') #>> '{}');
    v_id integer;
begin
    if jsonb_typeof(p_definition) is distinct from 'object'
        or jsonb_typeof(coalesce(p_definition -> 'rules', '[]')) <> 'array'
    then
        perform core.fail('rules_invalid', 'a set of rules must be an object {default, rules: [...]}', 'rules');
    end if;
    select k.key
    into v_key
    from jsonb_object_keys(p_definition) as k (key)
    where k.key not in ('default', 'rules', 'guardrails', 'repairs', 'note')
    limit 1;
    if v_key is not null then
        perform core.fail(
            'rules_invalid',
            format(
                '%L is not a valid key in a set of rules; the valid keys are default, note, rules, guardrails, repairs',
                v_key
            ),
            v_key
        );
    end if;
    if p_definition ? 'repairs' and not p_definition ? 'rules' then
        perform core.fail(
            'rules_invalid',
            'a set of rules replaces all rules, so one with repairs must say which rules there are; "rules: []": none',
            'repairs'
        );
    end if;
    if v_default is null or v_default not in ('allow', 'deny') then
        perform core.fail('rules_invalid', format('default must be "allow" or "deny", got %L', v_default), 'default');
    end if;

    if jsonb_typeof(coalesce(p_definition -> 'guardrails', '[]')) <> 'array' then
        perform core.fail('rules_invalid', 'guardrails must be an array', 'guardrails');
    end if;

    select p.*
    into v_wrong
    from (
        select 'rule' as part, r.position, w.key, w.problem
        from jsonb_array_elements(coalesce(p_definition -> 'rules', '[]')) with ordinality as r (rule, position)
        cross join lateral policy.rule_problem(r.rule) as w
        union all
        select 'guardrail', g.position, w.key, w.problem
        from jsonb_array_elements(
            coalesce(p_definition -> 'guardrails', '[]')
        ) with ordinality as g (guardrail, position)
        cross join lateral policy.guardrail_problem(g.guardrail) as w
    ) as p
    where p.problem is not null
    order by p.part collate core.c_utf8 desc, p.position
    limit 1;
    if v_wrong.problem is not null then
        perform core.fail(
            'rules_invalid',
            format('%s %s%s: %s', v_wrong.part, v_wrong.position, ', ' || v_wrong.key, v_wrong.problem),
            format('%ss[%s]%s', v_wrong.part, v_wrong.position - 1, '.' || v_wrong.key)
        );
    end if;

    -- The number is computed while the rules are locked. If it came from a sequence, each version that was only tried
    -- and rolled back would leave a gap. The sequence follows, because one that lags is an error (qm doctor).
    perform policy.lock_rights(true);
    v_id := (select coalesce(max(v.id), 0) + 1 from policy.rule_version as v);
    insert into policy.rule_version (id, note, default_effect, guardrails, repairs, created_at, created_by)
    overriding system value
    values (
        v_id,
        coalesce(nullif(p_note, ''), p_definition ->> 'note', ''),
        v_default,
        coalesce(p_definition -> 'guardrails', '[]'),
        p_definition -> 'repairs',
        core.now(),
        policy.principal_id()
    );
    perform setval(pg_get_serial_sequence('policy.rule_version', 'id'), v_id);
    insert into policy.rule (version_id, position, effect, subject, matcher_id, reason)
    select
        v_id,
        r.position,
        r.rule ->> 'effect',
        r.rule ->> 'subject',
        policy.put_matcher(r.rule - '{effect,subject,reason}'::text[]),
        coalesce(r.rule ->> 'reason', '')
    from jsonb_array_elements(coalesce(p_definition -> 'rules', '[]')) with ordinality as r (rule, position);
    return v_id;
end
$function$;
comment on function policy.put_version(jsonb, text) is
'Stores a set of rules as a new version, without activating this version. Arguments: p_definition: JSON object with '
'the default (allow or deny), an array of rules, an array of guardrails and an array of repairs, which the caller has '
'checked; p_note: note about the version. Returns '
'the number of the version. Raises QM422 rules_invalid.';
