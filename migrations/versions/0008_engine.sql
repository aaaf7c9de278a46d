-- Engine: posting lists as sparse vectors over cards, so that BM25 of many cards is a sum of vectors.
-- One transaction with the service stopped or waiting, so locks are no risk.
-- squawk-ignore-file ban-drop-function, adding-field-with-default
create table search.posting (
    term_id integer not null references search.term,
    block bigint not null,
    weights ext.sparsevec not null check (ext.vector_dims(weights::ext.vector) = 2048),
    primary key (term_id, block)
);
-- Long lists go out of line as they are: compressing them would cost each goal more than reading them.
alter table search.posting alter column weights set storage external;
comment on table search.posting is 'What search.lexical.weights says, turned round: of each token its BM25 weight in the cards that have it.';
comment on column search.posting.block is 'Cards of 2048 consecutive ids: block * 2048 is at position 1.';
alter table search.posting enable row level security;
alter table search.posting force row level security;

-- The built-in sum of vectors goes through arrays of double precision, several times as slow.
create aggregate search.add_vectors(ext.vector) (sfunc = ext.vector_add, stype = ext.vector); -- noqa: LT01
comment on aggregate search.add_vectors(ext.vector) is 'Sum of vectors of one dimension.'; -- noqa: LT01

-- The indexes over documents have had their time; search.put_kind weighs what has no weighed_length, and fills the lists.
do $do$
declare
    v_name text;
begin
    for v_name in select k.name from search.kind as k loop
        execute format('drop index if exists search.%I', 'lexical_' || v_name || '_document_idx');
    end loop;
end
$do$;
update search.kind set weighed_length = null;

-- Models change while goals are answered: a process finds each model by its source.
alter table search.model add column source text not null default '';
comment on column search.model.source is 'Where a process of the service finds the model: its name, or the path of its folder.';
drop function if exists api.put_model(text, integer, boolean, text);
drop function if exists search.put_model(text, integer, boolean);
