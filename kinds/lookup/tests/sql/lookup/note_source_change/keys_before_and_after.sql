begin;
select plan(6);

select t.make_source('herb', true);
select lookup.follow_source(t.lookup_id('herb'), 'public.herb');
create function pg_temp.noted() returns text language sql as $$
    with noted as (delete from lookup.source_change returning key) select string_agg(coalesce(n.key, 'all'), ' ' order by n.key) from noted as n
$$;
insert into public.herb (id) values ('8'), ('9');
select is(pg_temp.noted(), '8 9', 'what is added');
update public.herb set id = '7' where id = '8';
select is(pg_temp.noted(), '7 8', 'a key that changes, before and after');
delete from public.herb where id = '9';
select is(pg_temp.noted(), '9', 'what is removed');
truncate public.herb;
select is(pg_temp.noted(), 'all', 'all is removed');
alter table public.herb rename column id to number;
insert into public.herb (number) values ('1');
select is(pg_temp.noted(), 'all', 'the column of the keys is gone');
delete from lookup.source;
select lives_ok($$insert into public.herb (number) values ('2')$$, 'nobody reads the table any more');

select * from finish();
rollback;
