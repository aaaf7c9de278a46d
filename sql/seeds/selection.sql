-- The default modes; a settings file may change them (api.configure_modes). thorough is the same as balanced, because
-- more candidates and more results were not better (lab/notes/selection.md#the-modes).
insert into selection.mode (
    name, lexical, dense, fuzzy, rerank, top, ef_search, lambda,
    weight_lexical, weight_dense, weight_fuzzy, floor, tail
)
values
('fast', 24, 24, 8, 16, 5, 240, 0.3, 1, 1.5, 0.3, 0.235, 0.04),
('balanced', 48, 48, 16, 32, 8, 240, 0.3, 1, 1.5, 0.3, 0.235, 0.04),
('thorough', 48, 48, 16, 32, 8, 240, 0.3, 1, 1.5, 0.3, 0.235, 0.04)
on conflict (name) do nothing;

-- The part of a task that belongs to no kind.
select selection.put_task_part('profile', 10, 'selection.task_profile', p_needs_project => true);
