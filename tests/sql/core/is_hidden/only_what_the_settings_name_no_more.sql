begin;
select plan(4);

insert into core.kind_folder (name, digest, is_hidden) values ('named', '', false), ('away', '', true);
select t.make_principal('alice'), t.read_as('alice');
select is(core.is_hidden('away'), true, 'a folder that the settings name no more');
select is(core.is_hidden('named'), false, 'one that they name');
select is(core.is_hidden(''), false, 'Quartermaster itself');
select is(core.is_hidden('no such'), false, 'one that was never there');

select * from finish();
rollback;
