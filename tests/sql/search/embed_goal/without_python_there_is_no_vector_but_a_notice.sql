begin;
select plan(1);

update core.capability set installed = false where name = 'embed';
select ok(search.embed_goal('anything') is null, 'null, and a NOTICE says so');

select * from finish();
rollback;
