-- Queries to the table plant, as the service writes them down; each given what differs from one that found row 1.
create function t.make_requests(p_principal text, variadic p_requests jsonb []) returns integer language sql as $$
select service.record_lookups((
    select jsonb_agg(jsonb_build_object(
        'at', core.now(), 'table', 'plant', 'principal_id', (select p.id from policy.principal as p where p.name = p_principal),
        'door', 'mcp', 'query_hash', 'aa', 'profile', 'default', 'offered', '[{"rank": 1, "name": "1", "score": 0.9}]'::jsonb, 'match', true,
        'is_cached', false, 'duration_ms', 10) || r.request)
    from unnest(p_requests) as r (request)
));
$$;
