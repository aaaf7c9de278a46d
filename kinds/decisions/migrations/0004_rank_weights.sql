-- What the score of a decision is made of stands in a table, with the reason for each weight.

create table decisions.rank_weight (
    part text collate core.c_utf8 primary key
    check (part in ('topic', 'place', 'confidence', 'utility', 'cases')),
    weight double precision not null check (weight >= 0),
    reason text collate core.c_utf8 not null check (reason <> '')
);
alter table decisions.rank_weight enable row level security, force row level security;
comment on table decisions.rank_weight is
'How much each part counts in the score by which the decisions of a tier are ranked (decisions.rank_score).';
comment on column decisions.rank_weight.part is
'topic: how much the decision has in common with the task; place: how closely its scope matches the path; '
'confidence: how sure its source is; utility: how calls that followed it went; cases: how often the code does it.';
comment on column decisions.rank_weight.weight is
'What a decision gets for this part at most (for utility: for a gain of 1).';

create type decisions.rank_weights as (
    topic double precision,
    place double precision,
    confidence double precision,
    utility double precision,
    cases double precision
);
comment on type decisions.rank_weights is 'The weights in decisions.rank_weight, one member for each part.';
