-- Changes of lookup tables are audited (see audit.sql). When rows are loaded into a table, a single
-- record is written, with the number of rows and the version of the table.
drop trigger if exists audited on lookup.lookup_table;
create constraint trigger audited
after insert or delete or update of
name, description, domain, threshold, at_precision, gap, rows, version on lookup.lookup_table
deferrable initially deferred
for each row execute function audit.record_change('name');

drop trigger if exists audited on lookup.curation;
create constraint trigger audited
after insert or update or delete on lookup.curation
deferrable initially deferred
for each row execute function audit.record_change('name');
