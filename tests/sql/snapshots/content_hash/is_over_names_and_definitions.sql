begin;
select plan(4);

select is(
    snapshots.content_hash(array['x', 'x', 'y'], array['b', 'a', 'Z'], array[sha256('2'), sha256('1'), sha256('3')]),
    sha256(convert_to(format(E'x a %s\nx b %s\ny Z %s', encode(sha256('1'), 'hex'), encode(sha256('2'), 'hex'), encode(sha256('3'), 'hex')), 'UTF8')),
    'a line an item, by kind and name in byte order'
);
select is(snapshots.content_hash(null, null, null), sha256(''), 'of nothing');
select isnt(snapshots.content_hash(array['x'], array['a'], array[sha256('1')]), snapshots.content_hash(array['x'], array['a'], array[sha256('2')]), 'another definition');
select isnt(snapshots.content_hash(array['x'], array['a'], array[sha256('1')]), snapshots.content_hash(array['x'], array['b'], array[sha256('1')]), 'another name');

select * from finish();
rollback;
