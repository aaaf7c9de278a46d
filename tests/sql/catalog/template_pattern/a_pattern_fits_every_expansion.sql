begin;
select plan(6);

select ok('memo://page/7' ~ catalog.template_pattern('memo://page/{number}'), 'a simple expression');
select ok('memo://page/7/8' !~ catalog.template_pattern('memo://page/{number}'), 'which holds no slash');
select ok('file:///a/b.txt' ~ catalog.template_pattern('file:///{+path}'), 'a reserved one does');
select ok('x://find?q=1' ~ catalog.template_pattern('x://find{?q}'), 'a query');
select ok('xx://a' !~ catalog.template_pattern('x.://a'), 'other characters stand for themselves');
select ok('memo://page/' || chr(10) || '7' ~ catalog.template_pattern('memo://page/{number}'), 'a line break is a character');

select * from finish();
rollback;
