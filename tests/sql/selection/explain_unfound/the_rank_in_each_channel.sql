begin;
select plan(3);

select t.make_origin('o'), t.make_principal('alice');
select t.make_all_tools(jsonb_agg(jsonb_build_object('origin', 'o', 'name', 'n' || i, 'description', 'Zebra. ' || repeat('Other words. ', i))))
from generate_series(1, 4) as i;
create function pg_temp.told(p_name text, p_lexical integer) returns jsonb language plpgsql as $$
declare
    v_mode selection.mode;
begin
    select m.* into v_mode from selection.mode as m where m.name = 'balanced';
    v_mode.lexical := p_lexical;
    return (
        select selection.explain_unfound('tool', 'zebra', null, v_mode, c.id, selection.find_candidates('tool', 'zebra', null, v_mode))
        from search.card as c where c.name = p_name
    );
end
$$;
select t.read_as('alice');
select is(pg_temp.told('o__n4', 2) #> '{detail,channels,lexical}', '{"rank": 4, "found": 2}', 'fourth, and two were looked at');
select is(pg_temp.told('o__n4', 2) #> '{detail,channels,dense}', '{"rank": null, "found": 0}', 'and not found by meaning');
select is(pg_temp.told('o__n1', 2), null, 'a candidate');

select * from finish();
rollback;
