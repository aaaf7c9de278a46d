begin;
select plan(2);

select t.at('2026-11-10 00:00+00');
select t.make_origin('o'), t.make_principal('alice');
select t.make_tool('o', 'feed', 'Feeds zebras.'), t.make_tool('o', 'count', 'Counts zebras, and many other things in the garden.');
select t.make_tool('o', 'horse', 'Counts horses.');
select t.at('2026-11-12 00:00+00');
select t.make_tool('o', 'newer', 'Paints zebras.');
select t.at('2026-11-13 00:00+00');

create function pg_temp.told(p_name text) returns jsonb language plpgsql as $$
declare
    v_mode selection.mode;
begin
    select m.* into v_mode from selection.mode as m where m.name = 'balanced';
    v_mode.lexical := 1;
    return (
        select catalog.past_places('tool', 'zebras', null, '2026-11-11 00:00+00', v_mode, i.id) from catalog.item as i where i.public_name = p_name
    );
end
$$;
select t.read_as('alice');
select is(pg_temp.told('o__count') -> 'lexical', '{"rank": 2, "found": 1}', 'second, and one was looked at');
select is(pg_temp.told('o__horse') -> 'lexical', '{"rank": null, "found": 1}', 'without a word of the goal');

select * from finish();
rollback;
