-- Passages of notes. Their cards are written by knowledge.put_notes.
select search.put_feature_set(
    'passages', 'Words and meaning of passages, and the questions that they answer',
    'knowledge.passage_candidates', array['words', 'near', 'asked'],
    array['lexical', 'dense', 'dense']
);

select search.put_kind(
    'passage', 'Passages of notes',
    p_fields => '{heading, asked, text, domain}', p_field_weights => '{1.5, 1.5, 1, 0.3}',
    p_feature_set => 'passages', p_outcomes => 'reported',
    p_describe_function => 'knowledge.describe_passage'
);
