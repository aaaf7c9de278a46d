-- The rights class for cards that match no rule.
insert into policy.rights_class (id, matchers) values (0, '{}') on conflict do nothing;

-- The permanent principals: the service's own worker, the local user, and the login role that
-- installs Quartermaster.
select policy.put_principal('quartermaster', 'service', 'operator');
select policy.put_principal('local', 'person', 'admin');
select policy.put_principal(session_user::text, 'person', 'admin', session_user::text);

-- Without rules, the setting policy.default decides. It allows everything unless it is changed.
insert into policy.rule_version (note, default_effect, activated_at, is_active)
select
    'as installed' as note,
    core.get_setting('policy.default') #>> '{}' as default_effect,
    now() as activated_at,
    true as is_active
where not exists (select from policy.rule_version);
-- Classify all cards again, because a new release may interpret rules differently.
select catalog.classify();
