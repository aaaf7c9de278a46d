-- The names of rows are found by their beginning, in one lookup table at a time.
-- squawk-ignore-file require-concurrent-index-creation
create index card_lookup_label_idx on search.card (origin, label text_pattern_ops)
where kind = 'lookup';
