begin;
select plan(9);

select t.make_principal('alice');
select t.act_as('alice', 'qm_user');
select is(api.context_share(g.goal), 0.7::real, format('"%s" needs its context', g.goal))
from unnest('{"Do the same for the other file","do it again","and those, please","close it"}'::text[]) as g (goal);
select is(api.context_share(g.goal), 0::real, format('"%s" does not', g.goal))
from unnest(
    '{"What time is it in Tokyo","open a ticket for the failing login test","read a file","rename the file and move it to the archive folder",""}'::text[]
) as g (goal);

select * from finish();
rollback;
