begin;
select plan(4);

insert into catalog.allowance (kind, value, origin) values ('program', '["a"]', null), ('secret', 'secret:b', 'o');
select is(catalog.is_allowed('program', '["a"]', 'any'), true, 'what every origin may use');
select is(catalog.is_allowed('secret', 'secret:b', 'o'), true, 'what one origin may use');
select is(catalog.is_allowed('secret', 'secret:b', 'other'), false, 'another may not');
select is(catalog.is_allowed('environment', 'secret:b', 'o'), false, 'nor is it allowed as something else');

select * from finish();
rollback;
