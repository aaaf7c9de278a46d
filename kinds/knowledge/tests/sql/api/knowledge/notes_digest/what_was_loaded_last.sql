begin;
select plan(2);

select t.make_principal('op', 'operator'), t.make_principal('alice');
select t.act_as('alice');
select is(api.notes_digest(), null, 'nothing was loaded');
select t.act_as('op', 'qm_operator');
select api.load_notes(jsonb_build_array(t.note('a', 'One.')), 'a digest');
select t.act_as('alice');
select is(api.notes_digest(), 'a digest', 'everybody may ask for it');

select * from finish();
rollback;
