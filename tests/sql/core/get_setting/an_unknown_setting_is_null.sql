begin;
select plan(2);

select is(core.get_setting('exposure.limit'), '40'::jsonb, 'a known one');
select is(core.get_setting('no.such'), null::jsonb, 'an unknown one');

select * from finish();
rollback;
