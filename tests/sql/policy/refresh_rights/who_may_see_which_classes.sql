begin;
select plan(3);

select t.make_catalog(), t.make_project('shop', 'alice'), t.make_kind('memo');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "role:user", "tools": "time__*"}, {"effect": "allow", "subject": "role:user", "tools": "tracker__*"}]}');
select t.make_project_card('memo', 1, 'inside', p.id, 'x') from projects.project as p;
create temporary table before as select s.* from policy.subject_rights as s;
delete from policy.subject_rights;
delete from policy.audience_rights;
select policy.refresh_rights();
select set_eq($$select s.* from policy.subject_rights as s$$, $$select b.* from before as b$$, 'as it was');
select results_eq(
    $$select c.name, get_bit(s.denies, c.rights_class), get_bit(s.allows, c.rights_class), get_bit(e.closes, c.rights_class)
    from search.card as c cross join policy.subject_rights as s cross join policy.subject_rights as e
    where s.subject = 'role:user' and e.subject = 'everyone' and c.name in ('time__convert_time', 'tracker__create_ticket', 'inside') order by 1$$,
    $$values ('inside', 0, 0, 1), ('time__convert_time', 1, 0, 0), ('tracker__create_ticket', 0, 1, 0)$$, 'a bit for each class'
);
select is(
    (select get_bit(a.classes, c.rights_class) from policy.audience_rights as a inner join search.card as c on c.audience_id = a.audience_id where c.name = 'inside'),
    1, 'the class of an audience is of its members'
);

select * from finish();
rollback;
