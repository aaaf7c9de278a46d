-- policy.is_visible decides which cards a principal may see. Only the search engine's security definer functions may
-- read documents, vocabulary and vectors.
grant usage on schema search to qm_user;

grant select ( -- noqa: PRS
    name, description, k1, b, fields, field_weights, feature_set, index_type, outcomes,
    has_outcomes, describe_function, availability_function, not_found, is_default
) on search.kind to qm_user;
grant select on search.kind to qm_operator;
create policy user_reads on search.kind for select to qm_user
using ((select policy.principal_id()) is not null);

select policy.let_read('search.feature_set', 'user');

grant select on search.card to qm_user;
create policy user_reads on search.card for select to qm_user
using (policy.is_visible(rights_class, (select policy.visible_classes())));

select policy.let_read('search.model', 'user');
select policy.let_read('search.coefficient', 'user');
select policy.let_read('search.common_goal', 'user');
select policy.let_read('search.destroying_goal', 'user');
