create or replace function decisions.packets_problem(p_packets jsonb)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when jsonb_typeof(p_packets) is distinct from 'array' or jsonb_array_length(p_packets) > 100
            then 'packets must be an array of at most 100 objects'
        when exists (
            select from jsonb_array_elements(p_packets) as g (packet)
            where jsonb_typeof(g.packet -> 'scope') is distinct from 'string'
                or length(g.packet ->> 'scope') > 500
                or (g.packet ->> 'commit' ~ '^[0-9a-f]{7,64}$') is not true
                or jsonb_typeof(g.packet -> 'evidence') is distinct from 'array'
                or length(g.packet ->> 'evidence') > 24000
        ) then 'a packet is {scope, commit, evidence}, with at most 24000 characters of evidence'
        when exists (
            select from jsonb_array_elements(p_packets) as g (packet)
            cross join lateral jsonb_array_elements(g.packet -> 'evidence') as e (piece)
            where not decisions.is_evidence(e.piece)
                or (e.piece ->> 'id' ~ '^E[1-9][0-9]{0,2}$') is not true
                or (e.piece ->> 'level' in ('structure', 'excerpts', 'diffs')) is not true
                or jsonb_typeof(e.piece -> 'text') is distinct from 'string'
        ) then 'a piece of evidence is {id, level, kind, path below the root, line, end_line, commit, blob, line_hash, '
            'text}'
    end;
$function$;
comment on function decisions.packets_problem(jsonb) is
'Checks packets of evidence about areas of the code. Argument p_packets: the packets, as in api.put_packets. Returns a '
'sentence about the first mistake. Returns null if there is no mistake.';
