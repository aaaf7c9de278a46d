create or replace function decisions.candidate_problem(p_candidate jsonb)
returns text
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_texts constant text[] := array[
        p_candidate ->> 'pattern', p_candidate ->> 'instead', p_candidate ->> 'rationale',
        p_candidate ->> 'applies_when', p_candidate #>> '{scope,value}', p_candidate ->> 'keywords',
        p_candidate ->> 'rejected_alternatives', p_candidate ->> 'evidence'
    ];
    v_longest constant integer[] := array[500, 500, 4000, 1000, 500, 2000, 4000, 200000];
    v_names constant text[] := '{pattern,instead,rationale,applies_when,scope.value,keywords,rejected_alternatives,'
        'evidence}'::text[];
begin
    if jsonb_typeof(p_candidate) is distinct from 'object' then
        return 'a candidate is an object';
    end if;
    if coalesce(p_candidate ->> 'pattern', '') !~ '\S' collate core.c_utf8 then
        return 'pattern is missing: say what to do, as an instruction';
    end if;
    for v_i in 1 .. cardinality(v_texts) loop
        if length(v_texts[v_i]) > v_longest[v_i] then
            return format('%s is longer than %s characters', v_names[v_i], v_longest[v_i]);
        end if;
        if v_texts[v_i] ~ '[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f'
            '\ufeff\U000E0000-\U000E01EF]' then
            return format('%s contains invisible or control characters', v_names[v_i]);
        end if;
    end loop;
    if (p_candidate #>> '{scope,kind}' in ('path', 'module', 'language', 'global')) is not true then
        return 'scope.kind is path, module, language or global';
    end if;
    if (p_candidate #>> '{scope,kind}' = 'global') <> (coalesce(p_candidate #>> '{scope,value}', '') = '') then
        return 'scope.value names the paths, the module or the language, and is empty for a global scope';
    end if;
    if p_candidate #>> '{scope,value}' ~ '(^/|(^|/)\.\.(/|$)|\\)' then
        return 'scope.value is a path below the root of the project';
    end if;
    if coalesce(p_candidate ->> 'polarity', 'do') not in ('do', 'avoid') then
        return 'polarity is do or avoid';
    end if;
    if coalesce(p_candidate ->> 'confidence', 'low') not in ('low', 'medium', 'high') then
        return 'confidence is low, medium or high';
    end if;
    if coalesce(p_candidate ->> 'origin', 'agent_submitted') not in ('bootstrap', 'agent_submitted', 'imported') then
        return 'origin is bootstrap, agent_submitted or imported';
    end if;
    if jsonb_typeof(coalesce(p_candidate -> 'keywords', '[]')) <> 'array'
        or jsonb_typeof(coalesce(p_candidate -> 'rejected_alternatives', '[]')) <> 'array'
        or jsonb_typeof(coalesce(p_candidate -> 'evidence', '[]')) <> 'array'
        or jsonb_typeof(coalesce(nullif(p_candidate -> 'statistics', 'null'), '{}')) <> 'object'
    then
        return 'keywords, rejected_alternatives and evidence are arrays, and statistics is an object';
    end if;
    if jsonb_typeof(coalesce(nullif(p_candidate -> 'importance', 'null'), '0')) <> 'number'
        or abs((p_candidate ->> 'importance')::numeric) > 1000000
        or exists (
            select from jsonb_each(coalesce(nullif(p_candidate -> 'statistics', 'null'), '{}')) as s (name, value)
            where jsonb_typeof(s.value) <> 'number' or abs((s.value #>> '{}')::numeric) > 1000000000
        )
    then
        return 'importance and the members of statistics are numbers';
    end if;
    if exists (
        select from unnest(array[p_candidate -> 'keywords', p_candidate -> 'rejected_alternatives']) as l (list)
        cross join lateral jsonb_array_elements(coalesce(nullif(l.list, 'null'), '[]')) as e (each)
        where jsonb_typeof(e.each) <> 'string'
    ) then
        return 'keywords and rejected_alternatives contain texts';
    end if;
    if jsonb_array_length(coalesce(p_candidate -> 'evidence', '[]')) > 100 then
        return 'there are more than 100 pieces of evidence';
    end if;
    if exists (
        select from jsonb_array_elements(coalesce(p_candidate -> 'evidence', '[]')) as e (piece)
        where not decisions.is_evidence(e.piece)
            or coalesce(e.piece ->> 'role', 'supports') not in ('supports', 'contradicts')
    ) then
        return 'a piece of evidence is {kind: file, commit or document; path below the root, line, end_line, commit, '
            'blob, line_hash, excerpt, role}';
    end if;
    return decisions.check_problem(p_candidate -> 'check');
end
$function$;
comment on function decisions.candidate_problem(jsonb) is
'Checks a proposed decision. Argument p_candidate: the proposed decision (candidate), as in api.put_candidates. '
'Returns a sentence about the first mistake. Returns null if there is no mistake.';
