-- Writes: lookup.lookup_table, search.coefficient, search.card, search.embedding.
create or replace function api.configure_lookup_vectors(
    lookup text, enabled boolean default null, weights jsonb default null
)
returns table (has_vectors boolean, names integer, texts bigint, missing bigint, weighed jsonb)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_id constant integer := lookup.require_table(configure_lookup_vectors.lookup);
    v_profile constant text := 'vectors:' || configure_lookup_vectors.lookup;
begin
    if configure_lookup_vectors.enabled is not null then
        perform lookup.switch_vectors(v_table_id, configure_lookup_vectors.enabled);
    end if;
    if configure_lookup_vectors.weights is not null then
        if not (select t.has_vectors from lookup.lookup_table as t where t.id = v_table_id) then
            perform core.fail(
                'argument_invalid',
                format(
                    'the names of %s have no vectors, so weights would have no effect', configure_lookup_vectors.lookup
                ),
                null,
                'Enable vectors first: qm lookup vectors enables them and sets their weights.'
            );
        end if;
        perform search.put_coefficients('lookup', v_profile, configure_lookup_vectors.weights);
    end if;
    return query
    select
        t.has_vectors,
        t.names,
        w.texts,
        w.missing,
        coalesce(
            (
                select jsonb_object_agg(p.part, p.weights)
                from (
                    select c.part, jsonb_object_agg(c.feature, c.weight) as weights
                    from search.coefficient as c
                    where c.kind = 'lookup' and c.profile = v_profile
                    group by c.part
                ) as p
            ),
            '{}'
        )
    from lookup.lookup_table as t
    cross join lateral (
        select count(*) as texts, count(*) filter (where e.text_hash is null) as missing
        from (select distinct c.name from search.card as c where c.kind = 'lookup' and c.origin = t.name) as n
        left join search.embedding as e
            on e.model_id = (select m.id from search.model as m where m.active)
                and e.kind = 'lookup'
                and e.text_hash = sha256(convert_to(n.name, 'UTF8'))
    ) as w
    where t.id = v_table_id;
end
$function$;
comment on function api.configure_lookup_vectors(text, boolean, jsonb) is
'Sets whether the names in a lookup table have vectors, and how much the vectors add to the score of a row. Arguments: '
'lookup: name of the lookup table; enabled: true to give the names vectors, false to remove the vectors (null: no '
'change); weights: how much vectors add to the score if a query has a vector, as {"score": {"sem": weight, '
'"intercept": weight}} (null: no change). An empty object removes the weights: vectors then find candidates, but do '
'not change scores. Returns: whether the names have vectors; the number of names; the number of distinct texts; the '
'number of texts without a vector in the active model; and the weights. Raises QM404 unsupported_table, QM422 '
'argument_invalid, scoring_invalid.';
grant execute on function api.configure_lookup_vectors to qm_operator;
