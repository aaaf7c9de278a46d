begin;
select plan(4);

select is(
    snapshots.content_hash(array['b', 'a', 'Z'], array[sha256('2'), sha256('1'), sha256('3')]),
    sha256(convert_to(format(E'Z %s\na %s\nb %s', encode(sha256('3'), 'hex'), encode(sha256('1'), 'hex'), encode(sha256('2'), 'hex')), 'UTF8')),
    'a line a tool, by name in byte order'
);
select is(snapshots.content_hash(null, null), sha256(''), 'of nothing');
select isnt(snapshots.content_hash(array['a'], array[sha256('1')]), snapshots.content_hash(array['a'], array[sha256('2')]), 'another definition');
select isnt(snapshots.content_hash(array['a'], array[sha256('1')]), snapshots.content_hash(array['b'], array[sha256('1')]), 'another name');

select * from finish();
rollback;
