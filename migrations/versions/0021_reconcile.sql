-- The reconciliation API of lookup tables: names by their beginning.
create index card_lookup_label_idx on search.card (origin, label text_pattern_ops)
where kind = 'lookup';
