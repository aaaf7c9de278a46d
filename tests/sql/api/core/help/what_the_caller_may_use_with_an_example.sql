begin;
select plan(12);

select t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.act_as('alice');
select is_empty($$select h.name from api.help() as h where h.name in ('rules', 'changes', 'list_jobs', 'verify_audit')$$, 'a user is not told to use what is refused');
select throws_ok($$select * from api.help('verify_audit')$$, 'QM422', null, 'nor if it asks for it');
select is_empty($$select * from api.help() as h where h.purpose is null or h.purpose !~ '^[A-Z].*\.$' or h.example !~ '^select .*;$'$$, 'each has a sentence and a statement');
select results_eq($$select h.example from api.help() as h where h.name = 'tools'$$, array['select name, brief from tools limit 5;'], 'views are listed, too');
select results_eq($$select h.name from api.help('receipt') as h limit 1$$, array['receipts'], 'what is called after the topic comes first');
select ok((select h.purpose like '%Argument receipt: number%' from api.help('Show_Receipt') as h limit 1), 'of the one that is named, everything is said');
select results_eq($$select h.example from api.help('describe_card') as h limit 1$$, array['select * from describe_card(kind => ..., name => ...);'], 'without an example, the call with what it needs');
select throws_ok($$select * from api.help('zebra')$$, 'QM422', null, 'nothing is about it');
select t.act_as('op', 'qm_operator');
select isnt_empty($$select h.name from api.help() as h where h.name in ('rules', 'list_jobs')$$, 'operators get more');
select is_empty($$select h.name from api.help() as h where h.name in ('changes', 'verify_audit')$$, 'but nothing of administrators');
select t.act_as('boss', 'qm_admin');
select is((select count(*) from api.help() as h where h.name in ('changes', 'verify_audit')), 2::bigint, 'who get all');
select t.act_as(null);
select is_empty($$select h.name from api.help() as h where h.name in ('rules', 'list_jobs')$$, 'nobody gets what users get');

select * from finish();
rollback;
