-- api.lookup_state: is what a lookup table answered still what it would answer? Equal states mean equal answers to the same asker.
-- In it: the rows (their version), threshold and gap, the weights, and what the asker may see.
-- Definer because which rules are active is told to nobody.
-- Raises: QM404 unsupported_table.
create or replace function api.lookup_state(lookup text)
returns table (state text, profile text, share real)
language plpgsql
stable parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_table_id constant integer := lookup.require_table(lookup_state.lookup);
begin
    return query
    select
        encode(sha256(convert_to(
            concat_ws(
                ' ', t.id, t.version, t.threshold, t.gap, p.name,
                (
                    select string_agg(concat_ws(' ', c.part, c.feature, c.weight), ',' order by c.part, c.feature)
                    from lookup.coefficient as c
                    where c.profile = p.name
                ),
                (select v.id from policy.rule_version as v where v.is_active),
                (select policy.visible_classes())
            ), 'UTF8'
        )), 'hex'),
        p.name,
        coalesce(s.share, 0)::real
    from lookup.lookup_table as t
    cross join lateral (select lookup.profile_of(t.name) as name) as p
    left join lookup.shadow as s on s.table_id = t.id
    where t.id = v_table_id;
end
$function$;
comment on function api.lookup_state(text) is
'Argument: lookup table. Returns its state, a digest; whose weights score it (the name of the table, or default); the share of queries that are to be asked of its shadow, 0 to 1.';
