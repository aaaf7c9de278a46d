-- A principal may read its own calls, and administrators may read all calls. Only api.call_begin and api.call_end write
-- rows.
grant usage on schema calls to qm_reader, qm_admin;

grant select on calls.call to qm_reader, qm_admin;
create policy user_reads on calls.call for select to qm_reader, qm_admin
using (principal_id = (select policy.principal_id()) or (select policy.has_role('admin')));

grant select on calls.probe to qm_reader, qm_admin;
create policy operator_reads on calls.probe for select to qm_reader, qm_admin
using (
    (select policy.has_role('operator'))
    and exists (select from catalog.item as i where i.id = item_id)
);

-- A principal that may see an origin may see its breaker for everybody and its own breaker there; an operator may see all
-- of them. An operator that may see a tool may see the usual duration of its calls.
grant select on calls.breaker to qm_reader, qm_admin;
create policy user_reads on calls.breaker for select to qm_reader, qm_admin
using (
    (
        principal_id is null
        or principal_id = (select policy.principal_id())
        or (select policy.has_role('operator'))
    )
    and exists (select from catalog.origin as o where o.id = origin_id)
);

grant select on calls.pace to qm_reader, qm_admin;
create policy operator_reads on calls.pace for select to qm_reader, qm_admin
using (
    (select policy.has_role('operator'))
    and exists (select from catalog.item as i where i.id = item_id)
);

-- An operator that may see a tool may see the terms of the tool.
grant select on calls.terms to qm_reader, qm_admin;
create policy operator_reads on calls.terms for select to qm_reader, qm_admin
using (
    (select policy.has_role('operator'))
    and exists (select from catalog.item as i where i.id = item_id)
);

-- Stored answers can be read only through functions of the schema api, which return an answer only
-- to the principal who owns it.
