begin;
select plan(2);

select core.report_capability('embed', false, 'search by meaning', 'the service embeds', 'no model');
select results_eq($$select c.installed, c.reason from core.capability as c where c.name = 'embed'$$, $$values (false, 'no model')$$, 'first');
select core.report_capability('embed', true, 'search by meaning', 'the service embeds', null);
select results_eq($$select c.installed, c.reason from core.capability as c where c.name = 'embed'$$, $$values (true, null::text)$$, 'then');

select * from finish();
rollback;
