create or replace function api.list_refusals(project text default null, maximum integer default 100)
returns table (at timestamptz, pattern text, miner text, reason text)
language plpgsql
stable parallel safe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(list_refusals.project);
begin
    return query
    select r.at, r.pattern, r.miner, r.reason
    from decisions.refusal as r
    where r.project_id = v_project_id
    order by r.id desc
    limit list_refusals.maximum;
end
$function$;
comment on function api.list_refusals(text, integer) is
'Lists proposed decisions (candidates) that were refused, newest first. Arguments: project: the project, as NAME or '
'OWNER/NAME (null: your only project); maximum: maximum number of rows. Returns for each candidate: the time of the '
'refusal, the text of the candidate (pattern), the program or agent that proposed it (miner), and the reason for the '
'refusal. Can be null: miner.';
alter function api.list_refusals owner to qm_reader;
grant execute on function api.list_refusals to qm_user;
