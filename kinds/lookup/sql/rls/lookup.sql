-- A lookup table is visible if its card is visible. A row is visible if its table and the card of
-- its value are visible. Only security definer functions write rows.
grant usage on schema lookup to qm_reader, qm_admin;

grant select on lookup.lookup_table to qm_reader, qm_admin;
create policy user_reads on lookup.lookup_table for select to qm_reader, qm_admin
using (
    exists (select from search.card as c where c.kind = 'lookup_table' and c.ref = lookup_table.id)
);

grant select on lookup.lookup_row to qm_reader, qm_admin;
create policy user_reads on lookup.lookup_row for select to qm_reader, qm_admin
using (
    exists (select from lookup.lookup_table as t where t.id = table_id)
    and exists (
        select from lookup.lookup_name as n
        where n.row_id = lookup_row.id and not n.is_alias
    )
);

grant select on lookup.lookup_name to qm_reader, qm_admin;
create policy user_reads on lookup.lookup_name for select to qm_reader, qm_admin
using (
    exists (select from search.card as c where c.kind = 'lookup' and c.ref = lookup_name.id)
);

-- Only security definer functions may read the changes that curators made.

-- Operators may read gold pairs and evaluations.

grant select on lookup.shadow to qm_reader, qm_admin;
create policy user_reads on lookup.shadow for select to qm_reader, qm_admin
using (exists (select from lookup.lookup_table as t where t.id = table_id));

select policy.let_read('lookup.gold', 'operator', 'lookup.lookup_table', 'table_id');
select policy.let_read('lookup.evaluation', 'operator', 'lookup.lookup_table', 'table_id');
