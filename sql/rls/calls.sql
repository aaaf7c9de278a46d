-- A principal reads its own calls, administrators all; rows are written by api.call_begin and api.call_end only.
grant usage on schema calls to qm_user;

grant select on calls.call to qm_user;
create policy owner_all on calls.call to qm_owner using (true);
create policy user_reads on calls.call for select to qm_user
using (principal_id = (select policy.principal_id()));
create policy admin_reads on calls.call for select to qm_admin
using ((select policy.principal_id()) is not null);

grant select on calls.probe to qm_operator;
create policy owner_all on calls.probe to qm_owner using (true);
create policy operator_reads on calls.probe for select to qm_operator
using (exists (select from catalog.item as i where i.id = item_id));

create policy owner_all on calls.probe_turn to qm_owner using (true);

-- Whoever sees an origin, or a tool, sees how it fares.
grant select on calls.breaker to qm_user;
create policy owner_all on calls.breaker to qm_owner using (true);
create policy user_reads on calls.breaker for select to qm_user
using (exists (select from catalog.origin as o where o.id = origin_id));

grant select on calls.pace to qm_operator;
create policy owner_all on calls.pace to qm_owner using (true);
create policy operator_reads on calls.pace for select to qm_operator
using (exists (select from catalog.item as i where i.id = item_id));

-- What is set for a tool is for those who may see the tool.
grant select on calls.terms to qm_operator;
create policy owner_all on calls.terms to qm_owner using (true);
create policy operator_reads on calls.terms for select to qm_operator
using (exists (select from catalog.item as i where i.id = item_id));

-- Answers are given by api functions only, to whom they belong.
create policy owner_all on calls.answer to qm_owner using (true);
