-- How near texts are to the common goals, stored with their vectors; whether anything fits depends on the goal, too.

-- squawk-ignore ban-drop-function
drop function if exists selection.fit_of(selection.candidate[]);
-- squawk-ignore ban-drop-function
drop function if exists search.count_unembedded();

create table search.common_similarity (
    model_id integer not null,
    kind text not null,
    text_hash bytea not null,
    highest double precision not null,
    mean double precision not null,
    primary key (model_id, text_hash, kind),
    foreign key (model_id, text_hash, kind) references search.embedding on delete cascade
);
insert into search.common_similarity (model_id, kind, text_hash, highest, mean)
with measured as (
    select
        e.model_id,
        e.kind,
        e.text_hash,
        1 - (e.vector operator(ext.<=>) g.vector) as similarity -- noqa: LT01
    from search.embedding as e
    inner join search.model as m on e.model_id = m.id
    inner join search.common_goal as g
        on m.name = g.model and ext.vector_dims(e.vector) = ext.vector_dims(g.vector)
)

select
    d.model_id,
    d.kind,
    d.text_hash,
    max(d.similarity) as highest,
    avg(d.similarity) as mean
from measured as d
group by d.model_id, d.kind, d.text_hash;
alter table search.common_similarity enable row level security, force row level security;
comment on table search.common_similarity is
'How near each embedded text is to the common goals of its model (search.common_goal). It does not '
'depend on the goal of a search, so it is computed once, when the vector is stored.';
comment on column search.common_similarity.text_hash is 'The hash of the text in search.embedding.';
comment on column search.common_similarity.highest is 'Cosine with the nearest common goal.';
comment on column search.common_similarity.mean is 'Mean cosine with the common goals.';
