begin;
select plan(9);

select t.at('2026-11-10 00:00+00');
select t.make_origin('o'), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.make_tool('o', 'feed', 'Feeds zebras.'), t.make_tool('o', 'count', 'Counts zebras, and many other things in the garden.');
select t.make_tool('o', 'horse', 'Counts horses.');
select t.make_all_tools('[{"origin": "o", "name": "draw", "description": "Draws zebras.", "input_schema": {"type": "object"}, "extra": {"_meta": {"ui": {"visibility": ["app"]}}}}]');
select t.at('2026-11-12 00:00+00');
select t.make_tool('o', 'newer', 'Paints zebras.');
select t.at('2026-11-13 00:00+00');

create function pg_temp.told(p_name text, p_top integer default 8) returns jsonb language sql as $$
    select catalog.explain_past('tool', p_name, 'zebras', null, '2026-11-11 00:00+00', m, p_top, false)
    from selection.mode as m where m.name = 'balanced'
$$;
update catalog.item set status = 'pending' where public_name = 'o__newer';
select t.read_as('alice');
select is(pg_temp.told('o__feed') ->> 'reason', 'offered', 'offered');
select is(pg_temp.told('o__newer') ->> 'reason', 'status', 'a status comes first');
select is(pg_temp.told('o__horse') ->> 'reason', 'in_no_channel', 'in no channel');
select results_eq(
    $$select x ->> 'reason', x #>> '{detail,place}' from pg_temp.told('o__count', 1) as x$$, $$values ('below_cut', '2')$$, 'below the cut'
);
select is(pg_temp.told('o__draw') #>> '{detail,status}', 'interface', 'only a user interface could call it');
select is(pg_temp.told('none'), null, 'no such item');
select t.act_as_superuser();
update catalog.item set status = 'approved' where public_name = 'o__newer';
select t.read_as('alice');
select is(pg_temp.told('o__newer') #>> '{detail,offered_from}', '2026-11-12T00:00:00+00:00', 'not there then, but later');

select t.act_as_superuser();
update catalog.item set status = 'quarantined' where public_name = 'o__feed';
select catalog.show_items(array(select i.id from catalog.item as i));
select t.read_as('alice');
select is(pg_temp.told('o__feed') ->> 'reason', 'status', 'what is in quarantine now was offered then, but no search finds it');
select t.read_as('op', 'qm_operator');
select is(pg_temp.told('o__feed') ->> 'reason', 'status', 'also for an operator, who may read what is in quarantine');

select * from finish();
rollback;
