begin;
select plan(6);

select t.make_catalog(), t.make_principal('root', 'admin');
select t.at('2027-01-01 10:00+00');
select t.act_as('root', 'qm_admin');
select count(*) from api.repair_tool('tracker__create_ticket', '{"name": "open_ticket", "title": "Early"}');
select t.at('2027-01-01 11:00+00');
select count(*) from api.create_snapshot('monday');
select t.at('2027-01-01 12:00+00');
select count(*) from api.repair_tool('tracker__open_ticket', '{"name": null, "title": "Late"}');
select results_eq($$select d.name, d.change from api.diff_snapshots('monday') as d$$, $$values ('tracker__create_ticket', 'changed')$$, 'the repair is a difference');
select is_empty($$select f.fault from api.verify_snapshot('monday') as f where f.fault is not null$$, 'the snapshot is intact, in spite of the name');
select t.at('2027-01-01 12:30+00');
create temporary table done as select a.undo from api.activate_snapshot('monday') as a;
select results_eq(
    $$select d.title from api.describe_tool('tracker__open_ticket') as d$$, array['Early'], 'the repair is back, with the name'
);
select is_empty($$select d.name from api.diff_snapshots('monday') as d$$, 'nothing differs');
select results_eq($$select l.version, l.reason from api.list_repairs() as l$$, $$values (3, 'the snapshot monday')$$, 'as a new version');
select t.at('2027-01-01 13:00+00');
select count(*) from done as d cross join lateral api.activate_snapshot(d.undo);
select results_eq($$select d.title from api.describe_tool('tracker__create_ticket') as d$$, array['Late'], 'and undone');

select * from finish();
rollback;
