-- decisions.trigram_bits: if the bits of two texts differ at n positions, at least n trigrams occur in only one of the
-- texts. Therefore, most pairs of different texts can be excluded without comparing their trigrams.
create or replace function decisions.trigram_bits(p_text text, out bits bit varying, out number integer)
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select bit_or(set_bit(repeat('0', 512)::bit varying, hashtext(t.trigram) & 511, 1)), count(*)::integer
    from unnest(ext.show_trgm(p_text)) as t (trigram);
$function$;
comment on function decisions.trigram_bits(text) is
'Maps the trigrams of a text to bits, so that texts can be compared quickly. Argument p_text: the text. Returns 512 '
'bits, and the number of trigrams. The bits are null if the text has no trigrams.';
