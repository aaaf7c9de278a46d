begin;
select plan(2);

select t.make_catalog(), t.make_project('shop', 'alice');
update core.setting set value = '100000' where name = 'task.time_ms';
select t.make_library('shop', 'acme', '1.0', 'Sends a parcel by road.');
select t.make_decisions('shop', t.candidate('Call acme.send for parcels.'));
insert into quality.file_version (project_id, path, blob_hash, language, seen_at)
select p.id, 'README', repeat('1', 40), 'other', core.now() from projects.project as p where p.name = 'shop';
select t.act_as('alice', 'qm_user');
select matches(
    (select text from api.start_task('send a parcel') where part = 'profile'), '^shop: 1 other file\n.*\nKnowledge: 1 canonical decision, 0 own notes$',
    'so are one file and one decision'
);
select matches(
    (select text from api.start_task('send a parcel') where part = 'profile'), 'Environment: 1 package is indexed\n', 'one package is told as one'
);

select * from finish();
rollback;
