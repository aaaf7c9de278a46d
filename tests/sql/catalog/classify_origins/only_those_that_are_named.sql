begin;
select plan(2);

select t.make_catalog();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "origins": ["time", "tracker"]}]}');
create temporary table before as select o.name, o.rights_class from catalog.origin as o;
update catalog.origin set rights_class = 77;
select catalog.classify_origins(array[o.id]) from catalog.origin as o where o.name = 'time';
select results_eq(
    $$select o.rights_class = b.rights_class, o.rights_class = 77 from catalog.origin as o inner join before as b on b.name = o.name order by o.name$$,
    $$values (true, false), (false, true)$$, 'one'
);
select catalog.classify_origins();
select set_eq($$select o.name, o.rights_class from catalog.origin as o$$, $$select * from before$$, 'all');

select * from finish();
rollback;
