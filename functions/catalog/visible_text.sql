create or replace function catalog.visible_text(p_text text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        string_agg(
            case
                when c.letter ~ '[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5'
                    '\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0'
                    '\ufff0-\ufffb\U0001D173-\U0001D17A\U000E0000-\U000E01EF]'
                    then format(
                        '<U+%s>',
                        upper(
                            lpad(
                                to_hex(ascii(c.letter)), greatest(4, length(to_hex(ascii(c.letter)))), '0'
                            ) collate core.c_utf8
                        )
                    )
                else c.letter
            end,
            '' order by c.position
        ),
        ''
    )
    from string_to_table(p_text, null) with ordinality as c (letter, position);
$function$;
comment on function catalog.visible_text(text) is
'Makes the invisible characters of a text visible for people who review the text. Argument p_text: the text. Returns '
'the text with <U+XXXX> in place of each invisible character.';
