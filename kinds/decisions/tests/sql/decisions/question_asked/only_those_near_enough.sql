begin;
select plan(4);

select t.make_project('shop', 'alice'), t.make_principal('mallory');
create temporary table made as select t.make_decisions('shop', t.candidate('Endpoints return serializers.'), t.candidate('Money is a Decimal, never a float.')) as ids;
grant select on made to public;
select search.put_model('tiny', 3, true);
select t.embed_cards('decision', 'tiny');
select t.read_as('alice');
select is(
    decisions.question_asked('what do endpoints return', t.unit_vector(3, 1), 0.9) #- '{0,told,probability}',
    (select jsonb_build_array(jsonb_build_object(
        'kind', 'decision', 'ref', ids[1], 'told', jsonb_build_object('name', 'decision-' || ids[1], 'text', 'Endpoints return serializers.', 'project', 'shop', 'owner', 'alice')
    )) from made), 'the one that is near the question'
);
select is(decisions.question_asked('what do endpoints return', t.unit_vector(3, 3), 0.9), null, 'none that only has its words');
select is(decisions.question_asked('what do endpoints return', t.unit_vector(3, 1, 1), 0.9), null, 'none that is not near enough');
select t.read_as('mallory');
select is(decisions.question_asked('what do endpoints return', t.unit_vector(3, 1), 0.9), null, 'none of others');

select * from finish();
rollback;
