create or replace function decisions.rank_weights()
returns decisions.rank_weights
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select (
        max(w.weight) filter (where w.part = 'topic'),
        max(w.weight) filter (where w.part = 'place'),
        max(w.weight) filter (where w.part = 'confidence'),
        max(w.weight) filter (where w.part = 'utility'),
        max(w.weight) filter (where w.part = 'cases')
    )::decisions.rank_weights
    from decisions.rank_weight as w;
$function$;
comment on function decisions.rank_weights() is
'Reads the weights of the score of decisions from decisions.rank_weight. Returns a weight for each part.';
grant execute on function decisions.rank_weights to qm_reader;
