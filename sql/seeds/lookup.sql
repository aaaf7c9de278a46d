-- The kinds of card. Names of rows are indexed by search.put_names, which needs no index over labels and weighs by itself: no search.put_kind.
select search.put_kind('lookup_table', 'Lookup tables, to whose rows strings can be matched');
insert into search.kind (name, description, k1, b, weighed_length)
values ('lookup', 'Names of rows of lookup tables', 0, 0, 1)
on conflict (name) do update
    set description = excluded.description, weighed_length = 1;
select search.create_vector_indexes();
