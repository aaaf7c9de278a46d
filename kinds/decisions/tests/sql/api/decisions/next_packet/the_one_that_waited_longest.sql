begin;
select plan(5);

select t.make_project('shop', 'alice');
select t.act_as('alice', 'qm_user');
select is_empty($$select * from api.next_packet()$$, 'no packet waits');
select api.put_packets(jsonb_agg(jsonb_build_object('scope', s.scope, 'commit', 'abcdef1', 'evidence', '[]'::jsonb) order by s.scope)) from unnest('{a/**,b/**}'::text[]) as s (scope);
select api.put_candidates(jsonb_build_array(t.candidate('Mined.', '{"importance": 1}'), t.candidate('About b.', '{"scope": {"kind": "path", "value": "b/**"}}'), t.candidate('Submitted.', '{"origin": "agent_submitted"}')));
select t.at('2030-01-01');
select results_eq($$select n.scope, n.waiting from api.next_packet() as n$$, $$values ('a/**', 2)$$, 'the first one');
select t.at('2030-01-02');
select results_eq($$select n.scope, n.known from api.next_packet() as n$$, $$values ('b/**', '{About b.,Mined.}'::text[])$$, 'then the other, with what was mined, nearest first');
select t.at('2030-01-03');
select results_eq($$select n.scope from api.next_packet() as n$$, $$values ('a/**')$$, 'then again the one that nobody has answered for longest');
select t.act_as_superuser();
select t.make_project('blog', 'alice'), t.act_as('alice', 'qm_user');
select is_empty($$select * from api.next_packet('blog')$$, 'another project has no packets of this one');

select * from finish();
rollback;
