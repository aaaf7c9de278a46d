begin;
select plan(4);

select ok(core.has_capability('vector'), 'what is installed');
select ok(not core.has_capability('no_such'), 'an unknown one is absent');
update core.capability set installed = false where name = 'vector';
select ok(not core.has_capability('vector'), 'the table is asked, not the catalogue');
select core.probe_capabilities();
select ok(core.has_capability('vector'), 'a new probe looks again');

select * from finish();
rollback;
