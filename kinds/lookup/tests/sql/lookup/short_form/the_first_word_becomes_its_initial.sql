begin;
select plan(3);

select is(lookup.short_form('betula pendula'), 'b pendula', 'of two words');
select is(lookup.short_form('betula'), 'b', 'of one');
select is(lookup.short_form(''), '', 'of none');

select * from finish();
rollback;
