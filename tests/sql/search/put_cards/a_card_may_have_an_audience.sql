begin;
select plan(6);

select t.make_principal('alice'), t.make_principal('bob'), t.make_kind('memo'), t.make_project('secret', 'alice'), t.make_catalog();
select t.make_card('memo', 1, 'open', 'harbour');
create function pg_temp.seen(p_name text) returns bigint language sql as $$
    select count(*) from search.card as c cross join policy.principal as p
    where p.name = p_name and c.kind = 'memo' and policy.is_visible(c.rights_class, policy.rights_of(p.id));
$$;
select is(pg_temp.seen('bob'), 1::bigint, 'a card without an audience is for everybody');
select t.make_project_card('memo', 1, 'open', (select p.id from projects.project as p), 'harbour');
select is(pg_temp.seen('bob'), 0::bigint, 'the same card with one is not');
select is(pg_temp.seen('alice'), 1::bigint, 'but for members');
select t.make_card('memo', 1, 'open', 'harbour');
select is(pg_temp.seen('bob'), 1::bigint, 'and is again without one');
select throws_ok($$select search.put_cards('memo', '[{"ref": 2, "name": "x", "fields": [], "audience": 0}]')$$, '23503', null, 'an audience exists');
select throws_ok(
    $$select search.put_cards('tool', jsonb_build_array(jsonb_build_object('ref', 1, 'name', 'x', 'fields', '["x"]'::jsonb, 'audience', (select p.audience_id from projects.project as p))))$$,
    'QM422', null, 'a card of an item has none'
);

select * from finish();
rollback;
