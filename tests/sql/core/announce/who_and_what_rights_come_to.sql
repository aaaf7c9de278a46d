begin;
select plan(1);

select is(
    (
        select string_agg(t.tgrelid::regclass::text, '; ' order by t.tgrelid::regclass::text)
        from pg_trigger as t
        where t.tgfoid = 'core.announce'::regproc and encode(t.tgargs, 'escape') like 'qm_rights%'
    ),
    'policy.api_key; policy.identity; policy.principal; policy.subject_rights',
    'changes of principals, keys, identities, and of what rules come to'
);

select * from finish();
rollback;
