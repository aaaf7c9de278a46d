-- Cards follow policy.is_visible; documents, vocabulary and vectors are read by the engine's definer functions only.
grant usage on schema search to qm_user;

grant select ( -- noqa: PRS
    name, description, k1, b, fields, field_weights, feature_set, index_type, outcomes,
    has_outcomes, describe_function, not_found
) on search.kind to qm_user;
grant select on search.kind to qm_operator;
create policy owner_all on search.kind to qm_owner using (true);
create policy user_reads on search.kind for select to qm_user
using ((select policy.principal_id()) is not null);

grant select on search.feature_set to qm_user;
create policy owner_all on search.feature_set to qm_owner using (true);
create policy user_reads on search.feature_set for select to qm_user
using ((select policy.principal_id()) is not null);

grant select on search.card to qm_user;
create policy owner_all on search.card to qm_owner using (true);
create policy user_reads on search.card for select to qm_user
using (policy.is_visible(rights_class, (select policy.visible_classes())));

create policy owner_all on search.lexical to qm_owner using (true);

create policy owner_all on search.term to qm_owner using (true);

create policy owner_all on search.posting to qm_owner using (true);

create policy owner_all on search.corpus to qm_owner using (true);

create policy owner_all on search.name_posting to qm_owner using (true);

grant select on search.model to qm_user;
create policy owner_all on search.model to qm_owner using (true);
create policy user_reads on search.model for select to qm_user
using ((select policy.principal_id()) is not null);

create policy owner_all on search.embedding to qm_owner using (true);

grant select on search.coefficient to qm_user;
create policy owner_all on search.coefficient to qm_owner using (true);
create policy user_reads on search.coefficient for select to qm_user
using ((select policy.principal_id()) is not null);
