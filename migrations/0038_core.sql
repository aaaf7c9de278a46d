-- People list receipts by time. The index that this one replaces (BRIN) has no order. An installation is one
-- transaction, so no index can be made concurrently.
-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion
drop index selection.receipt_created_idx;
create index receipt_created_idx on selection.receipt (created_at, id);
