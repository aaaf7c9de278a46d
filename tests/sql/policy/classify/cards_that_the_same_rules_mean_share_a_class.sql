begin;
select plan(6);

select t.make_rules($${"rules": [
    {"effect": "deny", "subject": "everyone", "origins": "a*"},
    {"effect": "allow", "subject": "role:user", "tools": ["?x__delete_*", "plain"]},
    {"effect": "deny", "subject": "role:user", "categories": ["red", "green"]},
    {"effect": "deny", "subject": "everyone", "read_only": false, "kinds": "tool"},
    {"effect": "deny", "subject": "everyone", "destructive": true},
    {"effect": "deny", "subject": "everyone", "kinds": ["prompt"]}
]}$$);
create function pg_temp.meant(p_item policy.item) returns integer[] language plpgsql as $$
declare
    v_class constant integer := (select c.rights_class from policy.classify(array[p_item]) as c);
begin
    return array(
        select r.position
        from policy.rights_class as k
        inner join policy.rule as r on r.matcher_id = any(k.matchers)
        inner join policy.rule_version as v on v.id = r.version_id and v.is_active
        where k.id = v_class
        order by 1
    );
end
$$;
select is(pg_temp.meant((1, 'tool', 'acme', 'ax__delete_it', '{}', '{read_only}', null)), '{1, 2}', 'origin and name');
select is(pg_temp.meant((1, 'tool', 'bcme', 'plain', '{green}', '{}', null)), '{2, 3, 4}', 'a plain name, a category, and a tool that writes');
select is(pg_temp.meant((1, 'tool', 'bcme', 'plainer', null, '{destructive}', null)), '{4, 5}', 'a trait that a rule names');
select is(pg_temp.meant((1, 'prompt', 'bcme', 'plain', '{}', null, null)), '{6}', 'names of tools and traits do not apply to another kind');
select is(pg_temp.meant((1, 'origin', 'acme', null, '{}', null, null)), '{1}', 'an origin itself has a name of its own only');
select is(
    (select count(distinct c.rights_class) from policy.classify(array(select (i, 'tool', 'o' || i, 'n', '{}', '{read_only}', null)::policy.item from generate_series(1, 50) as i)) as c),
    1::bigint, 'fifty that no rule tells apart are one class'
);

select * from finish();
rollback;
