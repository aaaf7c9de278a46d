begin;
select plan(4);

select t.make_project('shop', 'alice');
create temporary table matcher as
select array[policy.put_matcher('{"tools": "a"}'), policy.put_matcher('{"tools": "b"}')] as ids, p.audience_id from projects.project as p;
create temporary table class as
select c.* from matcher as m cross join lateral policy.put_classes('{10,11,10,10}', array[null, null, null, m.audience_id], m.ids) as c;
select is((select count(*) from class), 3::bigint, 'equal sets are one');
select set_eq(
    $$select k.matchers, k.audience_id from class as c inner join policy.rights_class as k on k.id = c.rights_class$$,
    $$select x.matchers, x.audience_id from matcher as m cross join lateral (values (m.ids[:1], null), (m.ids, null), (m.ids[:1], m.audience_id)) as x (matchers, audience_id)$$,
    'a class of each, and of its audience'
);
select set_eq(
    $$select c.* from matcher as m cross join lateral policy.put_classes('{11,10,10}', array[null, null, m.audience_id], m.ids) as c$$,
    'select * from class', 'the same again'
);
select is(
    (select bit_length(s.denies) > (select max(c.rights_class) from class as c) from policy.subject_rights as s where s.subject = 'everyone'),
    true, 'the rights have a bit for each'
);

select * from finish();
rollback;
