-- An ordinary word is in the names of objects in any form; an identifier is only in names that contain it whole.
begin;
select plan(11);
select ok(knowledge.has_words('acme.Client.set_timeout', t.topic), t.topic)
from unnest('{timeouts,timeout,Timeouts,clients,set timeouts}'::text[]) as t (topic);
select ok(knowledge.has_words('acme.send', 'sending'), 'sending');
select ok(not knowledge.has_words('acme.Client.set_timeout', t.topic), t.topic)
from unnest('{set_timeouts,Client.timeouts,setTimeouts,proxies,times}'::text[]) as t (topic);
select * from finish();
rollback;
