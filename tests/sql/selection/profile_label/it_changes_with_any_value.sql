begin;
select plan(3);

select matches(selection.profile_label(selection.require_mode('fast')), '^fast/[0-9a-f]{8}$', 'the mode and eight digits');
select is(selection.profile_label(selection.require_mode('fast')), selection.profile_label(selection.require_mode('fast')), 'always the same');
select isnt(
    selection.profile_label(jsonb_populate_record(selection.require_mode('fast'), '{"weight_risk": 0.01}')), selection.profile_label(selection.require_mode('fast')), 'another value'
);

select * from finish();
rollback;
