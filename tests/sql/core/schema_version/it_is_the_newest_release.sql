begin;
select plan(2);

select isnt(core.schema_version(), null, 'the installed one');
insert into core.release (version, digest, installed_at) select '99.0.0', r.digest, now() + interval '1 hour' from core.release as r;
select is(core.schema_version(), '99.0.0', 'the one installed last');

select * from finish();
rollback;
