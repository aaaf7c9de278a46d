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

select selection.put_task_part(
    'note', 50, 'knowledge.task_notes', p_is_ranked => true, p_kinds => '{passage, question}',
    p_floor_setting => 'task.note_floor'
);
select core.put_hook('project_removed', 'knowledge.project_removed');
select core.put_hook('project_facts', 'knowledge.project_facts', 30);
select core.put_hook('package_folder', 'knowledge.package_folder');
