begin;
select plan(10);

select t.make_project('shop', 'alice');
create function pg_temp.related(p_one jsonb, p_other jsonb) returns text language plpgsql as $$
declare
    v_ids bigint[];
begin
    perform t.act_as('alice', 'qm_user');
    v_ids := array(select c.decision from api.put_candidates(jsonb_build_array(p_one, p_other)) as c);
    perform t.act_as_superuser();
    return (select string_agg(l.kind, ',') from decisions.link as l where l.from_id = any(v_ids) and l.to_id = any(v_ids));
end
$$;
select is(pg_temp.related(t.candidate('Use the session of the request.'), t.candidate('Use the session of a request!')), 'duplicate', 'nearly the same words');
select is(pg_temp.related(t.candidate('Raise our own errors.'), t.candidate('Raise our own errors.', '{"polarity": "avoid"}')), 'contradicts', 'do and avoid');
select is(pg_temp.related(t.candidate('Name tests by behaviour.'), t.candidate('Cache the settings.')), null, 'different things');
select is(pg_temp.related(t.candidate('Log with the logger.', '{"scope": {"kind": "path", "value": "a/**"}}'), t.candidate('Log with the logger.', '{"scope": {"kind": "path", "value": "b/**"}, "polarity": "avoid"}')), null, 'other places may differ');
select is(
    pg_temp.related(
        t.candidate('Import pytest.', '{"check": {"form": "replaced_import", "old": ["unittest"], "new": ["pytest"]}}'),
        t.candidate('Write classes of unittest.', '{"check": {"form": "replaced_import", "old": ["pytest"], "new": ["unittest"]}}')
    ), 'contradicts', 'each replaces the other'
);
select is(
    pg_temp.related(
        t.candidate('Views do not import models.', '{"check": {"form": "import_contract", "forbidden": ["app.models"]}}'),
        t.candidate('Get rows from models.', '{"check": {"form": "replaced_import", "old": ["sql"], "new": ["app.models"]}}')
    ), 'contradicts', 'one forbids what the other introduces'
);
select is(
    pg_temp.related(
        t.candidate('Set the attribute `secret` in each class of plugins.', '{"check": {"form": "pattern", "subject": "class", "where": {}, "require": {"attribute": "secret"}}}'),
        t.candidate('Set the attribute `denied` in each class of plugins.', '{"check": {"form": "pattern", "subject": "class", "where": {}, "require": {"attribute": "denied"}}}')
    ), null, 'rules of one form that are about different things'
);
select is(
    pg_temp.related(
        t.candidate('Name each view.', '{"scope": {"kind": "path", "value": "web/**"}, "check": {"form": "pattern", "subject": "class", "where": {}, "require": {"attribute": "name"}, "paths": ["web/**"]}}'),
        t.candidate('In web/a, name each view.', '{"scope": {"kind": "path", "value": "web/a/**"}, "check": {"form": "pattern", "subject": "class", "where": {}, "require": {"attribute": "name"}, "paths": ["web/a/**"]}}')
    ), 'duplicate', 'the same rule for a part of the place'
);
select is((select count(*) from decisions.decision), 16::bigint, 'all are stored');
select t.act_as('alice', 'qm_user');
select is((select count(*) from api.find_decisions() as f (shown) where f.shown -> 'contradicts' <> '[]'), 6::bigint, 'and listed beside each other');

select * from finish();
rollback;
