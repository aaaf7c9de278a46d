-- The rights class for cards that match no rule.
insert into policy.rights_class (id, matchers) values (0, '{}') on conflict do nothing;

-- There are two permanent principals: the service's own worker, and the local user. The commands qm and qm stdio act as
-- the local user, and so does psql with the login role that first installed Quartermaster. A call is therefore linked
-- to the search before it, even if the two were made in different ways.
select policy.put_principal('quartermaster', 'service', 'operator');
select policy.put_principal(
    'local', 'person', 'admin',
    coalesce(
        (select p.database_role from policy.principal as p where p.name = 'local'),
        (
            select session_user::text collate core.c_utf8
            where not exists (
                select from policy.principal as p
                where p.name = 'local' or p.database_role = session_user collate core.c_utf8
            )
        )
    )
);
-- If another login role installs a later release and has no principal yet, it gets a principal of its own.
select policy.put_principal(session_user::text collate core.c_utf8, 'person', 'admin', session_user)
where not exists (
    select from policy.principal as p
    where p.database_role = session_user collate core.c_utf8
);

-- Without rules, the setting policy.default decides. By default, this setting allows everything.
insert into policy.rule_version (note, default_effect, activated_at, is_active)
select
    'as installed' as note,
    core.get_setting('policy.default') #>> '{}' as default_effect,
    now() as activated_at,
    true as is_active
where not exists (select from policy.rule_version);
-- Classify all cards again, because a new release may interpret rules differently.
select catalog.classify();
