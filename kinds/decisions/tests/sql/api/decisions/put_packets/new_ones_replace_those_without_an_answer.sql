begin;
select plan(5);

select t.make_project('shop', 'alice');
select t.act_as('alice', 'qm_user');
create function pg_temp.put(variadic p_scopes text[]) returns integer language sql as $$
    select api.put_packets(jsonb_agg(jsonb_build_object('scope', s.scope, 'commit', 'abcdef1', 'evidence', '[]'::jsonb))) from unnest(p_scopes) as s (scope);
$$;
select is(pg_temp.put('a/**', 'b/**'), 2, 'both wait');
select api.submit_proposals(n.packet, '[]') from api.next_packet() as n;
select is(pg_temp.put('a/**', 'c/**', 'd/**'), 2, 'one that was answered does not wait again');
select is((select n.scope from api.next_packet() as n), 'c/**', 'the others are replaced');
select is((select n.scope from api.next_packet() as n), 'd/**', 'in the given order');
select throws_ok($$select api.put_packets('[{"scope": "a"}]')$$, 'QM422', 'a packet is {scope, commit, evidence}, with at most 24000 characters of evidence', 'what is no packet is refused');

select * from finish();
rollback;
