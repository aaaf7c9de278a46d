begin;
select plan(4);

set local client_min_messages = notice;
select is(core.mute_notices(), 'notice', 'says what to set back');
select is(current_setting('client_min_messages'), 'warning', 'and hides notices');
set local client_min_messages = error;
select is(core.mute_notices(), 'error', 'whoever hides more');
select is(current_setting('client_min_messages'), 'error', 'goes on to hide more');

select * from finish();
rollback;
