begin;
select plan(9);

select t.make_project('shop', 'alice');
create temporary table made as select t.make_decisions('shop', t.candidate('Use the session.'), t.candidate('Cache the settings.')) as ids;
grant select on made to public;
select t.log_in('cora');
select throws_ok($$select api.edit_decision((select ids[1] from made), '{"status": "rejected"}')$$, 'QM422', null, 'its status is not edited');
select throws_ok($$select api.edit_decision((select ids[1] from made), '{"pattern": ""}')$$, 'QM422', null, 'nor is it emptied');
select throws_ok($$select api.edit_decision((select ids[1] from made), '{"check": {"form": "command"}}')$$, 'QM422', null, 'nor given a check of no form');
select throws_ok($$select api.edit_decision((select ids[1] from made), '{"pattern": "Cache the settings"}')$$, 'QM409', null, 'nor made another one');
select throws_ok($$select api.edit_decision((select ids[1] from made), '{"pattern": "Cache the settings", "polarity": "avoid"}')$$, 'QM409', null, 'nor its opposite');
select is(api.edit_decision((select ids[1] from made), '{"pattern": "Use the request session.", "keywords": ["session"]}', 'clearer') ->> 'pattern', 'Use the request session.', 'but its words are');
select is(api.show_decision((select ids[1] from made)) #>> '{reviews,1,before,pattern}', 'Use the session.', 'and the old ones are kept');
select is((select s.pattern from api.decisions_for('src/api/a.py', 'which session') as s where s.index = 1), 'Use the request session.', 'it is served as edited');
select is((select c.brief from api.search_cards('request session', kinds => array['decision']) as c limit 1), 'Use the request session.', 'and found');

select * from finish();
rollback;
