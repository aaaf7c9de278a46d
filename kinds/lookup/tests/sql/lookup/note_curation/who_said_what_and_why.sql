begin;
select plan(1);

select t.make_lookups(), t.make_principal('cora');
create function pg_temp.note(p_alias text, p_reason text) returns void language sql security definer as $$
    select lookup.note_curation(t.lookup_id('plant'), '1', 'alias', p_alias, '{}', p_reason)
$$;
select t.at('2026-01-01 12:00 UTC'), t.act_as('cora');
select pg_temp.note('silver birch', 'asked twice a day'), pg_temp.note('birch', null);
select t.at('2026-01-02 12:00 UTC');
select pg_temp.note('silver birch', 'asked often');
select t.act_as_superuser();
select results_eq(
    $$select c.key, c.kind, c.alias, c.name, c.reason, c.curator, c.curated_at from lookup.curation as c order by c.alias$$,
    $$values ('1', 'alias', 'birch', 'plant/1', '', 'cora', '2026-01-01 12:00 UTC'::timestamptz),
        ('1', 'alias', 'silver birch', 'plant/1', 'asked often', 'cora', '2026-01-02 12:00 UTC')$$, 'who says it again gives the reason anew'
);

select * from finish();
rollback;
