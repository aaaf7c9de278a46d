begin;
select plan(7);

create function pg_temp.counted(p_name text) returns bigint language sql as $$
    select coalesce((select v.value from core.version as v where v.name = p_name), 0);
$$;
create temporary table before as select pg_temp.counted('cards') as cards, pg_temp.counted('rights') as rights, pg_temp.counted('vectors') as vectors, pg_temp.counted('kinds') as kinds;
select t.make_kind('test_kind');
select search.put_cards('test_kind', '[{"ref": 1, "name": "a", "fields": ["a"]}, {"ref": 2, "name": "b", "fields": ["b"]}]');
select ok(pg_temp.counted('cards') > (select b.cards from before as b), 'cards');
select search.put_model('test', 3, false), t.embed_cards('test_kind', 'test');
select ok(pg_temp.counted('vectors') > (select b.vectors from before as b), 'vectors');
create temporary table counted as select pg_temp.counted('vectors') as vectors;
select count(*) from search.claim_unembedded('test', 10);
select is(pg_temp.counted('vectors'), (select c.vectors from counted as c), 'a statement that changes no row');
select t.make_principal('alice');
select ok(pg_temp.counted('rights') > (select b.rights from before as b), 'a principal');
create temporary table later as select pg_temp.counted('rights') as rights, pg_temp.counted('kinds') as kinds;
savepoint before_the_change;
select search.put_kind('test_kind', 'other weights', '{1, 1, 1, 1}');
select ok(pg_temp.counted('kinds') > (select b.kinds from later as b), 'weights of a kind');
rollback to before_the_change;
select is(pg_temp.counted('kinds'), (select b.kinds from later as b), 'a change that is undone did not happen');
select t.make_principal('boss', 'admin');
update later set rights = pg_temp.counted('rights');
select t.act_as('boss', 'qm_admin');
select api.enable_principal('alice', false);
select t.act_as_superuser();
select is(pg_temp.counted('rights'), (select b.rights + 1 from later as b), 'also by an administrator, who cannot write counters');

select * from finish();
rollback;
