-- What a card tells of a note of a project begins with the project.
update search.card as c
set brief = format('According to the project %s/%s: %s', o.name, j.name, c.brief)
from knowledge.note as n
inner join projects.project as j on j.id = n.project_id
inner join policy.principal as o on o.id = j.owner_id
inner join knowledge.passage as p on p.note_id = n.id
left join knowledge.question as q on q.passage_id = p.id
where c.kind = 'passage' and c.ref = p.id or c.kind = 'question' and c.ref = q.id;
