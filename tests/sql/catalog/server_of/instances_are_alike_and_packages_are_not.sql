begin;
select plan(5);

select is(catalog.server_of('{npx,-y,pkg,--account,home}'), catalog.server_of('{npx,-y,pkg,--account,work}'), 'two accounts');
select isnt(catalog.server_of('{npx,-y,pkg}'), catalog.server_of('{npx,-y,other}'), 'two packages');
select isnt(catalog.server_of('{docker,run,-i,one}'), catalog.server_of('{docker,run,-i,two}'), 'two images');
select isnt(catalog.server_of('{python,server.py}'), catalog.server_of('{python3,server.py}'), 'two programs');
select is(catalog.server_of('{server}'), 'server', 'a program without arguments');

select * from finish();
rollback;
