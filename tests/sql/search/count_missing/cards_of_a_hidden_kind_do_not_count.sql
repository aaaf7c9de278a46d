begin;
select plan(3);

select search.put_model('m', 2, true);
select set_config('qm.kind_folder', 'letters', true);
select t.make_kind('letter');
select set_config('qm.kind_folder', '', true);
select t.make_kind('memo'), t.make_card('memo', 1, 'open', 'harbour'), t.make_card('letter', 1, 'dear', 'ship');
insert into core.kind_folder (name, digest) values ('letters', '');
create function pg_temp.missing() returns bigint language sql as $$ select search.count_missing(m.id) from search.model as m where m.name = 'm' $$;
select is(pg_temp.missing(), 2::bigint, 'cards of all kinds count');
update core.kind_folder set is_hidden = true;
select catalog.hide_kinds();
select is(pg_temp.missing(), 1::bigint, 'but not while they are hidden');
update core.kind_folder set is_hidden = false;
select catalog.hide_kinds();
select is(pg_temp.missing(), 2::bigint, 'and then again');

select * from finish();
rollback;
