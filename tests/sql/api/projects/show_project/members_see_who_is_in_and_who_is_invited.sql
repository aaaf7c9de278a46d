begin;
select plan(4);

select t.make_principal('carol');
select t.make_project('shop', 'alice', 'bob');
select t.act_as('alice');
select api.put_project_member('carol');
select is(
    api.show_project('shop') - '{id,created_at}'::text[],
    '{
        "project": "shop", "owner": "alice", "root": "/srv/shop",
        "members": [{"name": "alice", "role": "owner"}, {"name": "bob", "role": "member"}],
        "invited": [{"name": "carol", "role": "member", "declined": false}]
    }', 'its owner'
);
select t.act_as('bob');
select is(api.show_project() ->> 'project', 'shop', 'a member, whose only project it is');
select t.act_as('carol');
select throws_ok($$select api.show_project('alice/shop')$$, 'QM404', null, 'who is only invited does not');
select api.decline_project('alice/shop');
select t.act_as('alice');
select is(api.show_project() #> '{invited,0,declined}', 'true', 'who declined');

select * from finish();
rollback;
