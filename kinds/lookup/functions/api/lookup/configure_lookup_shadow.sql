-- api.configure_lookup_shadow: the table and its shadow answer the same queries, so people can compare the two sets of
-- weights (api.compare_lookup_shadow).
-- Writes: lookup.shadow, search.coefficient.
create or replace function api.configure_lookup_shadow(
    lookup text,
    share double precision,
    weights jsonb default null,
    threshold double precision default null,
    candidates integer default 30
)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_table_id constant integer := lookup.require_table(configure_lookup_shadow.lookup);
    v_profile constant text := 'shadow:' || configure_lookup_shadow.lookup;
    v_count integer;
begin
    if coalesce(
        configure_lookup_shadow.share not between 0 and 1
        or configure_lookup_shadow.threshold not between 0 and 1
        or configure_lookup_shadow.candidates not between 1 and 100,
        configure_lookup_shadow.share is null
    ) then
        perform core.fail(
            'argument_invalid',
            'share and threshold must be between 0 and 1, candidates between 1 and 100',
            null,
            'Use a share of 0.1 for one query in ten.'
        );
    end if;
    if configure_lookup_shadow.share = 0 then
        delete from lookup.shadow as s where s.table_id = v_table_id;
        perform search.put_coefficients('lookup', v_profile, '{}');
        return 0;
    end if;
    insert into lookup.shadow as s (table_id, share, threshold, candidates)
    values (
        v_table_id, configure_lookup_shadow.share, configure_lookup_shadow.threshold, configure_lookup_shadow.candidates
    )
    on conflict (table_id) do update
    set share = excluded.share, threshold = excluded.threshold, candidates = excluded.candidates;
    if configure_lookup_shadow.weights is not null then
        v_count := search.put_coefficients('lookup', v_profile, configure_lookup_shadow.weights);
    else
        select count(*) into v_count from search.coefficient as c where c.kind = 'lookup' and c.profile = v_profile;
    end if;
    return v_count;
end
$function$;
comment on function api.configure_lookup_shadow(text, double precision, jsonb, double precision, integer) is
'Configures the shadow of a lookup table (a trial of other weights). The shadow answers some of the queries a second '
'time, and does not change any reply. Arguments: lookup: name of the lookup table; share: share of queries that the '
'shadow answers, from 0 (none) to 1 (all); weights: weights of the shadow, as {"score": {feature: weight}, '
'"confidence": {feature: weight}} (null: the shadow keeps its weights); threshold: lowest probability that an answer '
'of the shadow may have (null: the threshold of the table); candidates: number of candidates that the shadow finds by '
'trigrams (1 to 100). A shadow without weights of its own uses the weights of the table. Share 0 removes the shadow '
'and its weights. Returns how many weights the shadow has. Raises QM404 unsupported_table, QM422 argument_invalid, '
'scoring_invalid.';
grant execute on function api.configure_lookup_shadow to qm_operator;
