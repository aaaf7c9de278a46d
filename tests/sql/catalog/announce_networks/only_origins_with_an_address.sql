begin;
select plan(4);

select t.make_origin('program'), t.make_origin('one', 'http'), t.make_origin('two', 'sse');
select is(catalog.announce_networks('network', null), 2, 'all that connect to a network');
select is(catalog.announce_networks('network', 'one'), 1, 'the one that is named');
select is(catalog.announce_networks('network', 'program'), 0, 'a program connects to none');
select is(catalog.announce_networks('secret', null), 0, 'another kind of permission');

select * from finish();
rollback;
