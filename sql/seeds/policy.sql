-- The class of cards that no matcher means.
insert into policy.rights_class (id, matchers) values (0, '{}') on conflict do nothing;

-- The principals that are always there: the service's own worker, whoever uses this machine's local doors, and the installing login.
select policy.put_principal('quartermaster', 'service', 'operator');
select policy.put_principal('local', 'person', 'admin');
select policy.put_principal(session_user::text, 'person', 'admin', session_user::text);

-- Without rules everything is allowed, or what the setting policy.default says.
insert into policy.rule_version (note, default_effect, activated_at, is_active)
select
    'as installed' as note,
    core.get_setting('policy.default') #>> '{}' as default_effect,
    now() as activated_at,
    true as is_active
where not exists (select from policy.rule_version);
-- A release may read rules in another way than the one before.
select catalog.classify();
