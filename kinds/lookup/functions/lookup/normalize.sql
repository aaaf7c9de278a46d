-- lookup.normalize: loading a large table calls the function a hundred thousand times. It is written in PL/pgSQL,
-- because a call of an SQL function with a fixed search path takes several times as long.
-- The step "digits" separates a year from the letter after it ("1977b" becomes "1977 b"), and a number from the letters
-- of a code before it ("abc123" becomes "abc 123").
create or replace function lookup.normalize(
    p_text text, p_ops text[] default '{ligatures,mojibake,deaccent,lower,digits,punctuation,collapse_ws,trim}'
)
returns text
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_text text := p_text;
    v_unknown text;
begin
    if not p_ops <@ '{ligatures,mojibake,deaccent,lower,digits,punctuation,collapse_ws,trim}' then
        select o.op
        into v_unknown
        from unnest(p_ops) as o (op)
        where o.op <> all('{ligatures,mojibake,deaccent,lower,digits,punctuation,collapse_ws,trim}'::text[])
        limit 1;
        perform core.fail(
            'argument_invalid',
            format('%L is not a step of normalisation', v_unknown),
            null,
            'Use ligatures, mojibake, deaccent, lower, digits, punctuation, collapse_ws and trim.'
        );
    end if;
    if 'mojibake' = any(p_ops) and v_text ~ '[\u00c2\u00c3][\u0080-\u00bf]' then
        begin
            v_text := convert_from(convert_to(v_text, 'LATIN1'), 'UTF8');
        exception
            when character_not_in_repertoire or untranslatable_character then
                null; -- the text is not UTF-8 that was read as Latin-1
        end;
    end if;
    if 'ligatures' = any(p_ops) then
        v_text := normalize(v_text, nfkc);
    end if;
    if 'deaccent' = any(p_ops) then
        v_text := ext.unaccent('ext.unaccent', v_text);
    end if;
    if 'lower' = any(p_ops) then
        v_text := lower(v_text collate core.c_utf8);
    end if;
    if 'digits' = any(p_ops) and v_text ~ '[0-9]{3}' then
        v_text := regexp_replace(
            regexp_replace(v_text, '([0-9]{3})([[:alpha:]])' collate core.c_utf8, '\1 \2', 'g'),
            '([[:alpha:]])([0-9]{3})' collate core.c_utf8,
            '\1 \2',
            'g'
        );
    end if;
    if 'punctuation' = any(p_ops) then
        v_text := regexp_replace(v_text, '[^[:alnum:]\s]+' collate core.c_utf8, ' ', 'g');
    end if;
    if 'collapse_ws' = any(p_ops) then
        v_text := regexp_replace(v_text, '\s+' collate core.c_utf8, ' ', 'g');
    end if;
    if 'trim' = any(p_ops) then
        v_text := btrim(v_text, E' \t\n\r\f\v\u00a0');
    end if;
    return v_text;
end
$function$;
comment on function lookup.normalize(text, text[]) is
'Converts a text to the canonical form in which queries and the names of rows are compared. Arguments: p_text: the '
'text; p_ops: names of the steps. The steps are always performed in this order: mojibake (repairs UTF-8 that was read '
'as Latin-1); ligatures (NFKC); deaccent (removes accents); lower (lower case); digits (makes numbers of three or more '
'digits separate words); punctuation (replaces punctuation with spaces); collapse_ws (makes single spaces); trim '
'(removes spaces at both ends). Returns the converted text. Raises QM422 argument_invalid.';
grant execute on function lookup.normalize to qm_reader;
