-- A stand-in for the extension where it is not there: a card with more words is better.
begin;
select plan(4);

do $do$
begin
    if not core.has_capability('pg_search') then
        create schema pdb;
        create function pdb.score(p_id bigint) returns real language sql as 'select length(w.words) from search.words as w where w.id = p_id';
        create function pdb.matches(p_words text, p_asked text) returns boolean language sql as $$select string_to_array(p_words, ' ') && string_to_array(p_asked, ' ')$$;
        create operator pg_catalog.||| (leftarg = text, rightarg = text, function = pdb.matches);
    end if;
end
$do$;
select core.report_capability('pg_search', true, 'candidates', 'our own', null);
select t.make_kind('memo'), t.make_kind('note');
select t.make_card('memo', 1, 'a', 'lamp', '', 'clock'), t.make_card('memo', 2, 'b', 'clock clock clock', '', 'clock'), t.make_card('memo', 3, 'c', 'bell'), t.make_card('note', 4, 'd', 'clock');
create function pg_temp.matched(p_words text, p_limit integer) returns bigint[] language sql as $$
    select array(select t.ref_of(m.id) from unnest(search.match_words('memo', p_words, p_limit)) with ordinality as m (id, place) order by m.place)
$$;
select is(pg_temp.matched('clock hour', 5), '{2,1}', 'the best first');
select is(pg_temp.matched('clock', 1), '{2}', 'no more than asked for');
select is(pg_temp.matched('bell', 5), '{3}', 'cards with a word');
select is(search.match_words('memo', 'zebra', 5), '{}', 'nothing matches');

select * from finish();
rollback;
