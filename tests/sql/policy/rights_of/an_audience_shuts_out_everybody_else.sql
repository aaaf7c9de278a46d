begin;
select plan(22);

select t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.make_kind('memo'), t.make_project('secret', 'alice');
select t.make_project_card('memo', 1, 'inside', (select p.id from projects.project as p), 'saffron harbour lantern'), t.make_card('memo', 2, 'outside', 'saffron harbour');
create function pg_temp.seen(p_name text) returns text[] language sql as $$
    select array(
        select c.name from search.card as c
        cross join policy.principal as p
        where p.name = p_name and c.kind = 'memo' and policy.is_visible(c.rights_class, policy.rights_of(p.id))
        order by c.name
    );
$$;
create function pg_temp.allowed(p_name text) returns text[] language sql as $$
    select array(
        select c.name from search.card as c
        cross join policy.principal as p
        cross join lateral policy.decide(p.id, null, c.rights_class) as d
        where p.name = p_name and c.kind = 'memo' and d.is_allowed
        order by c.name
    );
$$;
select is(pg_temp.seen('bob'), '{outside}', 'a user who is no member does not see the card');
select is(pg_temp.seen('op'), '{outside}', 'nor does an operator');
select is(pg_temp.seen('boss'), '{outside}', 'nor an administrator');
select is(pg_temp.seen('alice'), '{inside,outside}', 'a member does');
select results_eq($$select pg_temp.allowed(n) from unnest(array['bob', 'op', 'boss', 'alice']) as n$$, $$values (array['outside']), ('{outside}'), ('{outside}'), ('{inside,outside}')$$, 'a decision on one card says the same');
select is((select d.reason from search.card as c cross join policy.principal as p cross join lateral policy.decide(p.id, null, c.rights_class) as d where p.name = 'bob' and c.name = 'inside'), 'the card is for its audience only', 'and says why');

select t.make_rules('{"default": "deny", "rules": [{"effect": "allow", "subject": "everyone", "names": "*"}, {"effect": "allow", "subject": "principal:bob", "names": "inside"}]}');
select is(pg_temp.seen('bob'), '{outside}', 'no rule opens it');
select is(pg_temp.seen('alice'), '{inside,outside}', 'a rule allows it to members');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:alice", "names": "inside"}]}');
select is(pg_temp.seen('alice'), '{outside}', 'a rule takes it away from a member');
select t.make_rules('{"default": "deny"}');
select is(pg_temp.seen('alice'), '{}', 'and so does the default');
select t.make_rules('{"default": "allow"}');

select t.act_as('boss', 'qm_admin');
select is_empty($$select from search.card as c where c.name = 'inside'$$, 'an administrator cannot read the row');
select is((select count(*) from api.search_cards('saffron harbour lantern', kinds => array['memo']) as s), 1::bigint, 'nor find it');
select throws_ok($$select api.describe_card('memo', 'inside')$$, 'QM404', null, 'nor describe it');
select t.act_as('op', 'qm_operator');
select is((select count(*) from api.search_cards('saffron harbour lantern', kinds => array['memo']) as s), 1::bigint, 'an operator does not find it');
select t.act_as('alice', 'qm_user');
select is((select count(*) from api.search_cards('saffron harbour lantern', kinds => array['memo']) as s), 2::bigint, 'a member does');
select lives_ok($$select api.describe_card('memo', 'inside')$$, 'and describes it');

select t.act_as('boss', 'qm_admin');
select throws_ok($$insert into policy.audience_member select 1, 1$$, '42501', null, 'nobody writes an audience');
select throws_ok($$select from policy.audience_member$$, '42501', null, 'or reads one');
select t.act_as_superuser();
insert into projects.member (project_id, principal_id, role) select p.id, q.id, 'member' from projects.project as p, policy.principal as q where q.name = 'bob';
select is(pg_temp.seen('bob'), '{inside,outside}', 'who becomes a member sees it at once');
delete from projects.member as m using policy.principal as q where q.name = 'bob' and m.principal_id = q.id;
select is(pg_temp.seen('bob'), '{outside}', 'who stops being one, no longer');
update policy.principal set enabled = false where name = 'alice';
select is(pg_temp.seen('alice'), '{}', 'a disabled member sees nothing');
select throws_ok($$delete from policy.audience$$, '23503', null, 'an audience cannot go before its cards');

select * from finish();
rollback;
