-- An evaluation whose queries measured these values; call it as somebody who may keep one.
create function t.make_evaluation(p_label text, p_values jsonb) returns bigint
language sql as $$
    select api.store_evaluation(
        label => p_label, mode => 'balanced', split => 'dev', files => '[]', tools => 4, catalog_hash => sha256('tools'),
        model => 'a-model', reranker => null, settings => '{"lexical": 48}', metrics => '{"MRR": 0.5}', latency_ms => '{}', stages => '{}',
        queries => (
            select jsonb_agg(jsonb_build_object('query', q.key, 'metrics', jsonb_build_object('MRR', q.value)))
            from jsonb_each(p_values) as q
        )
    );
$$;
grant execute on function t.make_evaluation(text, jsonb) to public;
