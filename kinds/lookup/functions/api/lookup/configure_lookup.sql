-- Writes: lookup.lookup_table.
create or replace function api.configure_lookup(
    lookup text,
    new_threshold double precision default null,
    new_gap double precision default null,
    new_precision double precision default null,
    new_shows_near boolean default null
)
returns table (threshold real, gap real, at_precision real, shows_near boolean)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_id constant integer := lookup.require_table(configure_lookup.lookup);
begin
    if configure_lookup.new_threshold not between 0 and 1
        or configure_lookup.new_gap not between 0 and 1
        or configure_lookup.new_precision not between 0 and 1
    then
        perform core.fail(
            'argument_invalid',
            'threshold, gap and precision must be between 0 and 1',
            null,
            'Give a number such as 0.6, or omit the argument to keep the current value.'
        );
    end if;
    return query
    update lookup.lookup_table as t
    set
        threshold = coalesce(configure_lookup.new_threshold, t.threshold),
        gap = coalesce(configure_lookup.new_gap, t.gap),
        at_precision = coalesce(configure_lookup.new_precision, t.at_precision),
        shows_near = coalesce(configure_lookup.new_shows_near, t.shows_near)
    where t.id = v_table_id
    returning t.threshold, t.gap, t.at_precision, t.shows_near;
end
$function$;
comment on function api.configure_lookup(text, double precision, double precision, double precision, boolean) is
'Sets how probable an answer of a lookup table must be, and when the first answer is a match. Arguments: lookup: name '
'of the lookup table; new_threshold: lowest probability that an answer may have; new_gap: difference by which the '
'probability of the first answer must exceed the probability of the second answer for the first answer to be a match; '
'new_precision: precision for which the threshold was learned (only stored as information); new_shows_near: true to '
'make the reconciliation API return rows below the threshold as well. For each of these four values, null keeps the '
'current value. Returns the four values after the change. Raises QM404 unsupported_table, QM422 argument_invalid. Can '
'be null: at_precision.';
grant execute on function api.configure_lookup to qm_operator;
