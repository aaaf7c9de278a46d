begin;
select plan(2);

insert into catalog.allowance (kind, value, origin) values
('network', '10.0.0.0/8', null), ('network', '10.0.0.0/8', 'o'), ('network', '127.0.0.1/32', 'o'), ('network', '192.168.0.0/16', 'other'), ('secret', 'secret:x', 'o');
select is(catalog.networks_of('o'), '{10.0.0.0/8,127.0.0.1/32}', 'each once');
select is(catalog.networks_of('third'), '{10.0.0.0/8}', 'an origin without its own');

select * from finish();
rollback;
