begin;
select plan(2);

select is(search.fold_label('  Get-Current_Time '), 'get current time', 'separators are one space');
select is(search.fold_label('Météo'), 'meteo', 'accents are folded');

select * from finish();
rollback;
