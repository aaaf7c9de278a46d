-- api.lookup_state: equal digests mean equal answers to the same caller. The digest covers the version of the rows,
-- threshold and gap, the weights, and what the caller may see.
create or replace function api.lookup_state(lookup text default null)
returns table (state text, profile text, share real, has_vectors boolean)
language plpgsql
stable parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_id integer;
begin
    perform policy.require_principal();
    if lookup_state.lookup is not null then
        v_table_id := lookup.require_table(lookup_state.lookup);
    end if;
    return query
    with weighed as (
        select t.id, t.version, t.threshold, t.gap, t.shows_near, p.profiles, p.profiles[1] as profile, t.has_vectors
        from lookup.lookup_table as t
        cross join lateral (select lookup.profiles_of(t.name, true) as profiles) as p
        where v_table_id is null or t.id = v_table_id
    )

    select
        encode(sha256(convert_to(
            concat_ws(
                ' ',
                (
                    select string_agg(
                        concat_ws(' ', w.id, w.version, w.threshold, w.gap, w.shows_near, w.profile), ',' order by w.id
                    )
                    from weighed as w
                ),
                (
                    select string_agg(
                        concat_ws(' ', c.profile, c.part, c.feature, c.weight),
                        ','
                        order by c.profile, c.part, c.feature
                    )
                    from search.coefficient as c
                    where c.kind = 'lookup' and c.profile in (select unnest(w.profiles) from weighed as w)
                ),
                (select v.id from policy.rule_version as v where v.is_active),
                (select policy.visible_classes())
            ),
            'UTF8'
        )), 'hex'),
        coalesce((select min(w.profile) from weighed as w having count(*) = 1), 'default'),
        coalesce((select s.share from lookup.shadow as s where s.table_id = v_table_id), 0)::real,
        coalesce((select bool_or(w.has_vectors) from weighed as w), false);
end
$function$;
comment on function api.lookup_state(text) is
'Computes a digest that changes whenever the answers of a lookup table may change. Argument lookup: name of the lookup '
'table (null: all lookup tables). Returns: the digest; the name of the set of weights that is used for the table (the '
'table''s own name, or ''default''); the share of queries that the shadow of the table answers (0 to 1); and whether '
'the table has vectors (without a table: whether at least one lookup table has vectors). Raises QM404 '
'unsupported_table.';
grant execute on function api.lookup_state to qm_user;
