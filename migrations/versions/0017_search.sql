-- How near texts are to the common goals, stored with their vectors.

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
select e.model_id, e.kind, e.text_hash, max(s.similarity), avg(s.similarity)
from search.embedding as e
inner join search.model as m on m.id = e.model_id
inner join search.common_goal as g
    on g.model = m.name and ext.vector_dims(g.vector) = ext.vector_dims(e.vector)
cross join lateral (select 1 - (e.vector operator(ext.<=>) g.vector) as similarity) as s
group by e.model_id, e.kind, e.text_hash;
alter table search.common_similarity enable row level security, force row level security;
comment on table search.common_similarity is
'How near each embedded text is to the common goals of its model (search.common_goal). It does not '
'depend on the goal of a search, so it is computed once, when the vector is stored.';
comment on column search.common_similarity.text_hash is 'The hash of the text in search.embedding.';
comment on column search.common_similarity.highest is 'Cosine with the nearest common goal.';
comment on column search.common_similarity.mean is 'Mean cosine with the common goals.';
