begin;
select plan(11);

set constraints all immediate;
create temporary table made as select n as place, audit.append('insert', 'a.table', n::text) as id from generate_series(1, 9) as n;
select is_empty('select * from audit.find_faults()', 'as it was written: whole');
-- What a superuser can do, whom neither policies nor triggers stop.
set local session_replication_role = replica;
create function pg_temp.faults() returns text[] language sql as $$
    select array_agg(f.fault || ' ' || coalesce((select m.place from made as m where m.id = f.record_id)::text, 'next') order by f.record_id, f.fault) from audit.find_faults() as f
$$;
create function pg_temp.id_of(p_place integer) returns bigint language sql as $$select m.id from made as m where m.place = p_place$$;

savepoint whole;
update audit.record set object = 'x' where id = pg_temp.id_of(4);
select is(pg_temp.faults(), array['changed 4'], 'another content');
rollback to whole;
update audit.record set at = at + interval '1 microsecond' where id = pg_temp.id_of(4);
select is(pg_temp.faults(), array['changed 4'], 'another time');
rollback to whole;
update audit.record as r set object = 'x' where id = pg_temp.id_of(4);
update audit.record as r set hash = audit.record_hash(r) where id = pg_temp.id_of(4);
select is(pg_temp.faults(), array['changed 4'], 'another content with the hash to it');
rollback to whole;
delete from audit.record where id in (pg_temp.id_of(4), pg_temp.id_of(5));
select is(pg_temp.faults(), array['missing 4'], 'two gone');
rollback to whole;
update audit.record set id = id + 1000000 where id = pg_temp.id_of(4);
update audit.record set id = pg_temp.id_of(4) where id = pg_temp.id_of(5);
update audit.record set id = pg_temp.id_of(5) where id = pg_temp.id_of(4) + 1000000;
select is(pg_temp.faults(), array['reordered 4', 'reordered 5'], 'two that changed places');
rollback to whole;
insert into audit.record (id, at, transaction, login, action, table_name, previous_hash, hash)
select r.id, r.at + interval '1 microsecond', r.transaction, r.login, r.action, r.table_name, r.previous_hash, r.hash from audit.record as r where r.id = pg_temp.id_of(4);
select is((pg_temp.faults())[1], 'added 4', 'one too many');
rollback to whole;
insert into audit.signature (record_id, hash, public_key, signature, signed_at)
select r.id, r.hash, sha256('key'), sha256('a') || sha256('b'), now() from audit.record as r where r.id = pg_temp.id_of(9);
select is_empty('select * from audit.find_faults()', 'a signed head');
delete from audit.record where id >= pg_temp.id_of(8);
select is(pg_temp.faults(), array['missing 8'], 'the end gone after it was signed');
rollback to whole;
insert into audit.signature (record_id, hash, public_key, signature, signed_at)
select pg_temp.id_of(7), sha256('x'), sha256('key'), sha256('a') || sha256('b'), now();
select is(pg_temp.faults(), array['changed 7'], 'a record that is not the one signed');
rollback to whole;
delete from audit.record;
select is((select array_agg(f.fault) from audit.find_faults() as f), null, 'all gone and nothing signed cannot be told');

select * from finish();
rollback;
