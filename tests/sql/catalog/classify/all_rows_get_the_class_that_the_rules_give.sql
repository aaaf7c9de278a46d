begin;
select plan(4);

select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "tools": "time__*"}]}');
select t.make_catalog();
create temporary table before as
    select x.id, x.rights_class as item_class, c.rights_class as card_class
    from catalog.item as x inner join search.card as c on c.kind = x.kind and c.ref = x.id;
-- Only a function that is called can bring back what these triggers do not see.
alter table catalog.item disable trigger user;
alter table search.card disable trigger user;
update catalog.item set rights_class = 0;
update search.card set rights_class = 0;
select isnt_empty($$select from before where item_class <> 0$$, 'some class is not the first');

select catalog.classify();
select is_empty(
    $$select from catalog.item as x inner join before as b using (id) where x.rights_class <> b.item_class$$,
    'every item has the class that it had'
);
select is_empty(
    $$select from search.card as c inner join before as b on b.id = c.ref and c.kind = 'tool' where c.rights_class <> b.card_class$$,
    'and so has its card'
);
select isnt_empty(
    $$select from pg_locks where relation = 'policy.subject_rights'::regclass and mode = 'ShareRowExclusiveLock' and pid = pg_backend_pid()$$,
    'the rules are locked'
);

select * from finish();
rollback;
