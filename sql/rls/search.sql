-- policy.is_visible decides which cards a principal may see. Only the search engine's security definer functions may
-- read documents, vocabulary and vectors.
grant usage on schema search to qm_reader, qm_admin;

grant select on search.kind to qm_reader, qm_admin;
create policy user_reads on search.kind for select to qm_reader, qm_admin
using ((select policy.principal_id()) is not null and audience_id is null);

select policy.let_read('search.feature_set', 'user');

grant select on search.card to qm_reader, qm_admin;
create policy user_reads on search.card for select to qm_reader, qm_admin
using (policy.is_visible(rights_class, (select policy.visible_classes())));

select policy.let_read('search.model', 'user');
select policy.let_read('search.coefficient', 'user');
select policy.let_read('search.common_goal', 'user');
select policy.let_read('search.destroying_goal', 'user');

-- Operators read what their own organisation was taught.
grant select on search.teaching to qm_reader, qm_admin;
create policy operator_reads on search.teaching for select to qm_reader, qm_admin
using (
    (
        (select policy.has_role('operator'))
        and coalesce(organisation_id, 0) = coalesce((select policy.organisation_id()), 0)
    )
    or (select policy.has_role('admin'))
);
