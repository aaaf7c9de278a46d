begin;
select plan(4);

select t.make_catalog(), t.make_principal('root', 'admin');
select snapshots.put_snapshot('monday', '', policy.find_principal('root'));
select is(snapshots.members_hash(s.id), s.content_hash, 'the hash that the snapshot has') from snapshots.snapshot as s;
select is(snapshots.members_hash(), snapshots.members_hash(s.id), 'it is that of the items of now') from snapshots.snapshot as s;
select t.make_tools('time', 'stop_clock');
select isnt(snapshots.members_hash(), snapshots.members_hash(s.id), 'until there is another') from snapshots.snapshot as s;
select is(snapshots.members_hash(-1), sha256(''), 'nothing has the hash of nothing');

select * from finish();
rollback;
