begin;
select plan(6);

select t.make_principal('alice'), t.make_catalog();
select catalog.decide_items(array[t.id], 'quarantined', '', null) from catalog.item as t where t.name = 'convert_time';
select throws_ok($$select t.read_as(null), catalog.refuse_withheld('tool', 'time__convert_time')$$, 'QM403', null, 'nobody is told nothing');
select t.read_as('alice');
select throws_ok($$select catalog.refuse_withheld('tool', 'time__convert_time')$$, 'QM409', null, 'one in quarantine');
select lives_ok($$select catalog.refuse_withheld('tool', 'time__get_current_time')$$, 'not a live one');
select lives_ok($$select catalog.refuse_withheld('tool', 'nowhere__nothing')$$, 'not an absent one');
select t.act_as_superuser();
update catalog.item set deprecated_at = now() where name = 'convert_time';
select t.read_as('alice');
select lives_ok($$select catalog.refuse_withheld('tool', 'time__convert_time')$$, 'not one that is gone');
select throws_ok($$select * from api.describe_tool('time__convert_time')$$, 'QM404', null, 'that is just not there');

select * from finish();
rollback;
