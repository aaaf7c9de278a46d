-- The principals that are always there: the service's own worker, whoever uses this machine's local doors, and the installing login.
select policy.put_principal('quartermaster', 'service', 'operator');
select policy.put_principal('local', 'person', 'admin');
select policy.put_principal(session_user::text, 'person', 'admin', session_user::text);
