-- A principal may read its own calls, and administrators may read all calls. Only service.call_begin and
-- service.call_end write rows.
grant usage on schema calls to qm_reader, qm_admin;

grant select on calls.call to qm_reader, qm_admin;
create policy user_reads on calls.call for select to qm_reader, qm_admin
using (principal_id = (select policy.principal_id()) or (select policy.has_role('admin')));

select policy.let_read('calls.probe', 'operator', 'catalog.item', 'item_id');

-- A principal that may see an origin may see its breaker for everybody and its own breaker there; an operator may see
-- all of them. An operator that may see a tool may see the usual duration of its calls, and its terms.
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

select policy.let_read('calls.pace', 'operator', 'catalog.item', 'item_id');
select policy.let_read('calls.terms', 'operator', 'catalog.item', 'item_id');

-- Stored answers can be read only through functions of the schema api, which return an answer only
-- to the principal who owns it.
