begin;
select plan(2);

select t.make_project('shop', 'alice'), t.make_principal('bob'), t.make_principal('op', 'operator');
select t.make_library('shop', 'acme');
create temporary table stored as select s.id from knowledge.symbol as s;
grant select on stored to public;
select t.act_as('op', 'qm_operator');
select api.load_notes(
    jsonb_build_array(t.note('a', 'Send a parcel with care.', 'databases'), t.note('b', 'Hash passwords slowly.', 'security')), 'a digest'
);
select t.read_as('alice');
select is((select knowledge.domains_of_card('symbol', s.id) from stored as s), '{databases}', 'the domain of the passages that are similar');
select t.read_as('bob');
select is((select knowledge.domains_of_card('symbol', s.id) from stored as s), '{}', 'a card that is hidden has none');

select * from finish();
rollback;
