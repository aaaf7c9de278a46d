-- Cards follow policy.is_visible; documents, vocabulary and vectors are read by the engine's definer functions only.
drop policy if exists owner_all on search.kind;
drop policy if exists user_reads on search.kind;
drop policy if exists owner_all on search.feature_set;
drop policy if exists user_reads on search.feature_set;
drop policy if exists owner_all on search.card;
drop policy if exists user_reads on search.card;
drop policy if exists owner_all on search.lexical;
drop policy if exists owner_all on search.term;
drop policy if exists owner_all on search.posting;
drop policy if exists owner_all on search.name_posting;
drop policy if exists owner_all on search.model;
drop policy if exists user_reads on search.model;
drop policy if exists owner_all on search.embedding;
drop policy if exists owner_all on search.coefficient;
drop policy if exists user_reads on search.coefficient;

create policy owner_all on search.kind to qm_owner using (true);
create policy user_reads on search.kind for select to qm_user
using ((select policy.principal_id()) is not null);
create policy owner_all on search.feature_set to qm_owner using (true);
create policy user_reads on search.feature_set for select to qm_user
using ((select policy.principal_id()) is not null);
create policy owner_all on search.card to qm_owner using (true);
create policy user_reads on search.card for select to qm_user
using (policy.is_visible(rights_class, (select policy.visible_classes())));
create policy owner_all on search.lexical to qm_owner using (true);
create policy owner_all on search.term to qm_owner using (true);
create policy owner_all on search.posting to qm_owner using (true);
create policy owner_all on search.name_posting to qm_owner using (true);
create policy owner_all on search.model to qm_owner using (true);
create policy user_reads on search.model for select to qm_user
using ((select policy.principal_id()) is not null);
create policy owner_all on search.embedding to qm_owner using (true);
create policy owner_all on search.coefficient to qm_owner using (true);
create policy user_reads on search.coefficient for select to qm_user
using ((select policy.principal_id()) is not null);
