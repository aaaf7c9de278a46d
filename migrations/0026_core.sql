-- Databases that were made from the repository before 28 November 2026 get what the migrations 0012 to 0017 have had
-- since then: those were edited while nothing froze them. In every other database this changes nothing.

-- squawk-ignore-file adding-field-with-default, ban-drop-default, ban-drop-not-null, ban-drop-constraint
-- squawk-ignore-file constraint-missing-not-valid, require-concurrent-index-creation, adding-foreign-key-constraint
create table if not exists search.embedded_kind (
    kind text primary key references search.kind,
    changes bigint not null,
    waiting integer[] not null
);
alter table search.embedded_kind enable row level security, force row level security;

comment on column policy.audience.name is 'Purpose of the audience, in words. Two audiences may have the same name.';
comment on column policy.subject_rights.closes is
'Only set for the subject everyone: the rights classes of all audiences. Only members of an audience may see its '
'classes.';
comment on column policy.rights_class.audience_id is 'The audience of the cards in this class. Null: everybody.';
comment on column search.card.audience_id is
'The audience of the card. Null: everybody. Cards that belong to items have no audience.';
comment on column policy.principal.curates_decisions is
'Whether the principal may make decisions of its projects canonical. Only a person can have this right. No role '
'includes it.';
comment on table projects.project is
'Projects: code bases to which decisions, findings about code quality, and notes belong.';
comment on column projects.project.owner_id is 'The principal who added the project.';
comment on column projects.project.audience_id is 'The audience of all cards of the project, that is, its members.';
comment on table projects.member is
'The members of each project. Only members see what is stored about a project. Owners may change the members and '
'remove the project.';
comment on column search.coefficient.part is
'What the weights are for. score: for the order of the cards. large: for their order in a large catalog and for a long '
'goal (search.coefficients). confidence: for the probability that a card is right.';
comment on column selection.mode.tail is
'A card is not shown if its probability is lower than this share of the best card''s probability. In a large catalog, '
'and for a long goal, a smaller share is enough: this number to the power of up to 1.5 (selection.least_of).';
comment on table search.common_similarity is
'How similar each embedded text is to the common goals of its model (search.common_goal). The similarity does not '
'depend on the goal of a search, so it is computed once, when the vector is stored.';
comment on column search.common_similarity.highest is 'Cosine of the text with the nearest common goal.';
comment on column search.common_similarity.mean is 'Mean cosine of the text with the common goals.';
comment on column search.profile_weights.score is
'The weights of the part score: the intercept, then the weights of the features, in their order. A weight that was not '
'learned is 0.';
comment on column search.profile_weights.large is
'The weights of the part large, in the same order. Null: none were learned.';
comment on column search.profile_weights.confidence is
'The weights of the part confidence: the weights for the place of a card in its list (search.place_names), the '
'intercept, then the weights of the features, in their order.';
comment on table search.embedded_kind is
'The result of the last search for cards without a vector from the active model, for each kind '
'(search.claim_unembedded).';
comment on column search.embedded_kind.changes is
'The number of changes (search.count_changes) before that search. If the number has changed since then, the row is no '
'longer valid.';
comment on column search.embedded_kind.waiting is 'The rights classes of the cards that had no vector.';
