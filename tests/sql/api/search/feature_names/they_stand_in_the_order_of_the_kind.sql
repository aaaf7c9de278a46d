begin;
select plan(3);

select t.make_principal('alice');
select t.act_as('alice');
select is((api.feature_names('tool'))[:3], '{lexical_relative,lexical_share,lexical_rank}', 'the first of them');
select throws_ok($$select api.feature_names('no such')$$, 'QM404', null, 'a kind that is not there');
select t.act_as(null);
select throws_ok($$select api.feature_names('tool')$$, 'QM403', null, 'nobody reads them');

select * from finish();
rollback;
