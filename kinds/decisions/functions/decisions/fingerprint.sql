create or replace function decisions.fingerprint(p_scope_kind text, p_scope_value text, p_polarity text, p_pattern text)
returns bytea
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select sha256(convert_to(
        jsonb_build_array(
            p_scope_kind,
            p_scope_value,
            p_polarity,
            btrim(regexp_replace(lower(p_pattern collate core.c_utf8), '[^[:alnum:]_]+' collate core.c_utf8, ' ', 'g'))
        )::text,
        'UTF8'
    ));
$function$;
comment on function decisions.fingerprint(text, text, text, text) is
'Computes a hash that identifies a decision within its project. Arguments: p_scope_kind and p_scope_value: scope of '
'the decision; p_polarity: do or avoid; p_pattern: text of the decision. Spaces, punctuation, and upper or lower case '
'of the text do not change the hash. Returns a SHA-256.';
