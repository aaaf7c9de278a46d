-- A principal reads its own calls, administrators all; only api.call_begin and api.call_end write
-- rows.
grant usage on schema calls to qm_user;

grant select on calls.call to qm_user;
create policy user_reads on calls.call for select to qm_user
using (principal_id = (select policy.principal_id()));
create policy admin_reads on calls.call for select to qm_admin
using ((select policy.principal_id()) is not null);

grant select on calls.probe to qm_operator;
create policy operator_reads on calls.probe for select to qm_operator
using (exists (select from catalog.item as i where i.id = item_id));

-- Whoever sees an origin or a tool may see its state.
grant select on calls.breaker to qm_user;
create policy user_reads on calls.breaker for select to qm_user
using (exists (select from catalog.origin as o where o.id = origin_id));

grant select on calls.pace to qm_operator;
create policy operator_reads on calls.pace for select to qm_operator
using (exists (select from catalog.item as i where i.id = item_id));

-- Whoever may see the tool may see its terms.
grant select on calls.terms to qm_operator;
create policy operator_reads on calls.terms for select to qm_operator
using (exists (select from catalog.item as i where i.id = item_id));

-- Only api functions return answers, each to its principal.
