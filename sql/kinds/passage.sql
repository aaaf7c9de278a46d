-- Passages of notes. Their cards are written by knowledge.put_notes.
select search.put_kind(
    'passage', 'Passages of notes',
    p_fields => '{heading, asked, text, domain}', p_field_weights => '{1.5, 1.5, 1, 0.3}',
    p_outcomes => 'reported', p_describe_function => 'knowledge.describe_passage'
);
