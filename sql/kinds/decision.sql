-- Decisions of projects. Their cards are for the members of the project.
select search.put_kind(
    'decision', 'Decisions of projects', p_fields => '{pattern, scope, reason, keywords}',
    p_outcomes => 'reported', p_describe_function => 'decisions.describe'
);
