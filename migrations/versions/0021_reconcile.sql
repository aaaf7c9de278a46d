-- The reconciliation API of lookup tables: names by their beginning.
-- Installation is one transaction, so the index is not made concurrently.
-- squawk-ignore-file require-concurrent-index-creation
create index card_lookup_label_idx on search.card (origin, label text_pattern_ops)
where kind = 'lookup';
