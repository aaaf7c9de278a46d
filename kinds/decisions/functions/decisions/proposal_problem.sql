-- decisions.proposal_problem: a proposal must contain an instruction, and must cite enough evidence from the packet
-- from which it was made.
create or replace function decisions.proposal_problem(p_item jsonb, p_evidence jsonb)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when jsonb_typeof(p_item) is distinct from 'object' then 'an item is an object'
        when jsonb_typeof(p_item -> 'evidence') is distinct from 'array'
            then 'evidence is missing: name ids of the packet'
        when exists (
            select from jsonb_array_elements_text(p_item -> 'evidence') as c (id)
            where not exists (select from jsonb_array_elements(p_evidence) as e (piece) where e.piece ->> 'id' = c.id)
        ) then 'it cites evidence that the packet does not contain'
        when (select count(distinct c.id) from jsonb_array_elements_text(p_item -> 'evidence') as c (id)) < 2
            then 'it cites fewer than two pieces of evidence'
        when coalesce(p_item ->> 'pattern', '') !~* (
            '\m(use|call|raise|return|inherit|derive|import|pass|put|write|name|define|declare|add|keep|get|go|create|'
            'make|mark|log|test|wrap|check|validate|register|decorate|annotate|catch|store|load|read|send|do not|'
            'don''t|never|always|must|avoid|prefer|only|instead of|rather than)\M' collate core.c_utf8
        ) then 'it is no instruction: say what to do or to avoid'
        when cardinality(regexp_split_to_array(btrim(p_item ->> 'pattern'), '\s+' collate core.c_utf8)) < 4
            then 'it is too short to follow: name the area, what to do, and what instead of'
    end;
$function$;
comment on function decisions.proposal_problem(jsonb, jsonb) is
'Finds out why a proposal must be refused. Arguments: p_item: the proposal; p_evidence: evidence in the packet. '
'Returns the first reason. Returns null if the proposal need not be refused.';
