begin;
select plan(6);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_project('shop', 'alice');
update core.setting set value = '100000' where name = 'task.time_ms';
select t.act_as('alice', 'qm_user');
create function pg_temp.told(p_budget integer) returns text language sql as $$
    select string_agg(concat_ws(' ', s.part, s.name, case s.part when 'left_out' then s.text end), '; ')
    from api.start_task('vacuum dead row versions', '{/etc/hosts}', project => 'shop', budget_tokens => p_budget) as s
    where s.name <> 'paths'
$$;
create temporary table told as select pg_temp.told(5) as text;
select matches(
    (select text from told), '^left_out budget_tokens A budget of 5 tokens is too small\. The smallest useful budget is \d+\.$', 'is the reason, and says what is enough'
);
create temporary table enough as select substring(text from '(\d+)\.$')::integer as tokens from told;
select is((select pg_temp.told(e.tokens) from enough as e), 'profile project', 'and so much is enough');
select matches((select pg_temp.told(e.tokens - 1) from enough as e), '^left_out budget_tokens', 'and no less');

-- What is late after the first row would not have fitted, either.
select t.act_as_superuser();
update core.setting set value = '100' where name = 'task.time_ms';
create or replace function projects.profile(p_project_id integer) returns text language sql as $$select pg_sleep(0.2)::text || 'shop: 1 file'$$;
select t.act_as('alice', 'qm_user');
select matches(pg_temp.told(5), '^left_out budget_tokens [^;]*$', 'no time is blamed');
select t.act_as('op', 'qm_operator');
select is(
    (select count(*) from api.start_task('quokka', budget_tokens => 1) where name = 'budget_tokens'), 0::bigint, 'nothing found is no matter of the budget'
);
select throws_like(
    $$select * from api.start_task('quokka', budget_tokens => null)$$, 'budget_tokens must be above 0; %', 'no budget at all is refused'
);

select * from finish();
rollback;
