begin;
select plan(8);

select t.make_kind('memo'), t.make_principal('alice');
create temporary table card as
select n.ref, t.make_card('memo', n.ref, n.name, n.name) as id, n.name
from (values (1, 'first'), (2, 'second'), (3, 'third'), (4, 'twin'), (5, 'secret twin')) as n (ref, name);
grant select on card to public;
create function pg_temp.report(p_explain boolean, p_is_weak boolean, p_found_of jsonb, out withheld jsonb, out cards jsonb) language sql as $$
    select r.*
    from (
        select
            array_agg((c.id, c.ref, 0.5, null, 0.5, null, null, 0, 1 - c.ref / 10.0, 7, 0.25, null, case c.ref when 2 then ('down', 'wait', null)::selection.unavailability end, 'memo', c.name)::selection.candidate order by c.ref) filter (where c.ref < 4) as candidates,
            array_agg((c.id, 0.5, 0.123456, null, null, '{lexical}', array_fill(0, array[cardinality(search.feature_names('memo'))]), null, case c.ref when 1 then array(select x.id from card as x where x.ref > 3) end)::search.found order by c.ref) filter (where c.ref < 4) as found,
            array_agg(c.id order by c.ref) filter (where c.ref < 3) as shown
        from card as c
    ) as g
    cross join lateral selection.report_cards(g.candidates, g.found, p_found_of, g.shown, '{0,0.5}', array[null, g.shown[1]], null, 0, p_is_weak, p_explain, '{1,1,1}', 'a goal') as r
$$;
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "names": "secret*"}]}');
select t.read_as('alice');
create temporary table plain as select r.* from pg_temp.report(false, false, '{"memo": 5}') as r;
select is(p.withheld, '{"memo": {"below_cut": 1, "not_visible": 2}}', 'by rule; found, but no candidate: not visible') from plain as p;
select is(jsonb_path_query_array(p.cards, '$[*].card.name'), '["first", "second"]', 'those that are shown, in order') from plain as p;
select is((p.cards #> '{0,card}') - 'scores', '{"name": "first", "ref": 1, "rank": 1, "score": 0.25, "weak": false, "duplicates": ["twin"]}', 'with its visible duplicates') from plain as p;
select is(p.cards #> '{0,card,scores}', '{"lexical": 0.1235, "dense": null, "fuzzy": null, "sources": ["lexical"], "fused": 0.5, "tokens": 7, "redundancy": 0}', 'and rounded scores') from plain as p;
select is(p.cards #>> '{1,card,unavailable,reason}', 'down', 'why one cannot be used') from plain as p;
select is((pg_temp.report(false, true, '{"memo": 3}')).cards #> '{0,card,weak}', 'true', 'what hardly fits is weak');
select is(jsonb_path_query_array((pg_temp.report(true, false, '{"memo": 3}')).cards, '$[*].card.rank'), '[1, 2, null]', 'explained, what is not shown follows');
select is((pg_temp.report(true, false, '{"memo": 3}')).cards #>> '{2,card,scores,withheld}', 'below_cut', 'with its rule');

select * from finish();
rollback;
