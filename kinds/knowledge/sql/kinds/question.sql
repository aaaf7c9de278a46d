-- Questions that passages answer. They give a passage further vectors (knowledge.passage_candidates). Their cards are
-- written by knowledge.put_notes.
select search.put_kind(
    'question', 'Questions that passages answer', p_fields => '{question, heading, title, domain}',
    p_describe_function => 'knowledge.describe_question'
);
