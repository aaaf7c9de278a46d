begin;
select plan(4);

select t.make_origin('many'), t.make_principal('alice');
select t.make_all_tools(jsonb_agg(jsonb_build_object('origin', 'many', 'name', 'tool_' || n, 'description', 'Common words for all.')))
from generate_series(1, 30) as n;
select t.act_as('alice');
select is((select count(*) from api.select_tools('common words', mode => 'fast') as f), 5::bigint, 'fast');
select is((select count(*) from api.select_tools('common words') as f), 8::bigint, 'balanced is the default');
select is((select count(*) from api.select_tools('common words', mode => 'thorough') as f), 8::bigint, 'thorough is the same as balanced');
select is((select count(*) from api.select_tools('common words', top => 20) as f), 20::bigint, 'what is asked for comes before the mode');

select * from finish();
rollback;
