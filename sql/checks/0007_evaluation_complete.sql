-- Summary: an evaluation has a row for each of its queries.
-- Consequence: if rows are missing, a comparison does not cover the same queries as the stored means.
-- Fix: delete from stats.evaluation where id = ..., and run the evaluation again: qm eval run.
select 'evaluation ' || e.id as offender
from stats.evaluation as e
left join stats.evaluation_query as q on q.evaluation_id = e.id
group by e.id
having count(q.query) <> e.queries;
