-- quality.condition_sentence: facts replace the {NAME} parts of a text. The text is read once from left to right, so a
-- fact that itself contains {NAME} is not replaced again.
create or replace function quality.condition_sentence(p_metric text, p_situation text, p_facts jsonb)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select (
        select string_agg(
            case when p.part[1] like '{%' then coalesce(p_facts ->> btrim(p.part[1], '{}'), '') else p.part[1] end,
            '' order by p.position
        )
        from regexp_matches(t.text, '\{[a-z]+\}|[^{]+', 'g') with ordinality as p (part, position)
    )
    from quality.condition_text as t
    where t.metric in (p_metric, '') and t.situation = p_situation
    order by t.metric = ''
    limit 1;
$function$;
comment on function quality.condition_sentence(text, text, jsonb) is
'Makes the sentence that tells people whether a file meets a condition of a gate. Arguments: p_metric: the measured '
'value; p_situation: the situation; p_facts: the facts, as quality.judge returns them. Returns the sentence.';
grant execute on function quality.condition_sentence to qm_reader;
