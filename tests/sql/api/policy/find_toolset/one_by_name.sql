begin;
select plan(3);

select t.make_principal('alice'), api.put_toolset('clock', '{"origins": "time"}', 'what time it is');
select t.act_as('alice');
select results_eq($$select * from api.find_toolset('clock')$$, $$values ('clock', 'what time it is')$$, 'it is there');
select throws_ok($$select * from api.find_toolset('none')$$, 'QM404', null, 'or not');
select t.act_as(null);
select throws_ok($$select * from api.find_toolset('clock')$$, 'QM403', null, 'nobody finds it');

select * from finish();
rollback;
