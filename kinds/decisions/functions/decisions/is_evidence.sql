-- decisions.is_evidence: a piece of evidence names a file, a commit or a document, and a place in it.
create or replace function decisions.is_evidence(p_piece jsonb)
returns boolean
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select
        jsonb_typeof(p_piece) = 'object'
        and coalesce(p_piece ->> 'kind' in ('file', 'commit', 'document'), false)
        and coalesce(p_piece ->> 'path', p_piece ->> 'commit') is not null
        and coalesce(jsonb_typeof(p_piece -> 'path'), 'null') in ('string', 'null')
        and coalesce(length(p_piece ->> 'path'), 1) between 1 and 1000
        and coalesce(p_piece ->> 'path', '') !~ '(^/|(^|/)\.\.(/|$))'
        -- nor may it contain invisible or control characters
        and coalesce(
            p_piece ->> 'path', ''
        ) !~ '[\u0001-\u001f\u007f-\u009f\u00ad\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff'
            '\U000E0000-\U000E01EF]'
        and coalesce(p_piece ->> 'line', '1') ~ '^[1-9][0-9]{0,7}$'
        and coalesce(p_piece ->> 'end_line', '1') ~ '^[1-9][0-9]{0,7}$'
        and coalesce(p_piece ->> 'commit', 'a') ~ '^[0-9a-f]{1,64}$'
        and coalesce(p_piece ->> 'blob', 'a') ~ '^[0-9a-f]{1,64}$'
        and coalesce(p_piece ->> 'line_hash', 'a') ~ '^[0-9a-f]{1,64}$';
$function$;
comment on function decisions.is_evidence(jsonb) is
'Checks whether a piece of evidence is valid. Argument p_piece: the piece, as in api.put_candidates and '
'api.put_packets. Returns true if its kind, path, lines, commit, blob and line_hash can be used.';
