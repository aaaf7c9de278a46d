begin;
select plan(3);

select t.at('2036-05-01 00:00:00.5+00');
create temporary table made as select audit.append('insert', 'a.table', 'one', null, '{"b": 1.50, "a": "ä"}') as id;
create temporary view line as select audit.canonical_text(r) as text from audit.record as r inner join made as m on m.id = r.id;
create temporary table in_utc as select l.text from line as l;
set local timezone = 'Asia/Tokyo';
set local datestyle = 'German, DMY';
select is((select l.text from line as l), (select u.text from in_utc as u), 'whatever the session shows');
select is((select l.text::jsonb ->> 'at' from line as l), '2036-05-01T00:00:00.500000Z', 'times in UTC, to the microsecond');
select is((select l.text::jsonb - '{id,transaction,at}'::text[] from line as l), '{"login": "postgres", "principal_id": 0, "principal": "local", "action": "insert", "table": "a.table", "object": "one", "before": null, "after": {"a": "ä", "b": 1.50}}'::jsonb || jsonb_build_object('login', session_user, 'principal', 'local', 'principal_id', policy.principal_id()), 'and who did what');

select * from finish();
rollback;
