begin;
select plan(3);

select matches(selection.mode_label(selection.require_mode('fast')), '^fast/[0-9a-f]{8}$', 'the mode and eight digits');
select is(selection.mode_label(selection.require_mode('fast')), selection.mode_label(selection.require_mode('fast')), 'always the same');
select isnt(
    selection.mode_label(jsonb_populate_record(selection.require_mode('fast'), '{"weight_risk": 0.01}')), selection.mode_label(selection.require_mode('fast')), 'another value'
);

select * from finish();
rollback;
