-- Decisions of projects. Their cards are for the members of the project.
select search.put_kind(
    'decision', 'Decisions of projects', p_fields => '{pattern, scope, reason, keywords}',
    p_outcomes => 'reported', p_describe_function => 'decisions.describe'
);

select selection.put_task_part(
    'decision', 20, 'decisions.task_decisions', p_needs_project => true, p_kinds => '{decision}'
);
select core.put_hook('project_facts', 'decisions.project_facts', 20);
select core.put_hook('reason_given', 'decisions.reason_given');
select core.put_hook('question_asked', 'decisions.question_asked');
