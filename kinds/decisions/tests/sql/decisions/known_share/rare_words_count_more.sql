begin;
select plan(5);

select t.make_project('shop', 'alice');
select t.make_decisions('shop', t.candidate('Endpoints return serializers.'), t.candidate('Endpoints log errors.'), t.candidate('Endpoints cache settings.'));
select t.read_as('alice');
select is(decisions.known_share('endpoints return serializers'), 1::real, 'all words occur');
select is(decisions.known_share('zzz'), 0::real, 'none does');
select is(decisions.known_share(''), null, 'no words have no share');
select ok(decisions.known_share('serializers zzz') > decisions.known_share('endpoints zzz') and decisions.known_share('serializers zzz') < 1, 'a rare word is a larger share');
select t.read_as(null);
select throws_ok($$select decisions.known_share('endpoints')$$, 'QM403', null, 'nobody asks nothing');

select * from finish();
rollback;
