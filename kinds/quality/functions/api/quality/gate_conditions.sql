create or replace function api.gate_conditions(preset text default 'standard', project text default null)
returns table (metric text, minimum numeric, maximum numeric, on_new_code boolean, on_missing text, reason text)
language plpgsql
stable parallel safe security definer
rows 5
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform projects.find(gate_conditions.project);
    return query
    select c.metric, c.minimum, c.maximum, c.on_new_code, c.on_missing, c.reason
    from quality.gate_condition as c
    where c.preset = gate_conditions.preset
    order by c.metric;
end
$function$;
comment on function api.gate_conditions(text, text) is
'Lists the conditions that a file must meet to pass a quality gate. Arguments: preset: name of the gate (standard, '
'strict or framework); project: the project, as NAME or OWNER/NAME (null: your only project). Returns for each '
'condition: the measured number; the bounds with which the number is compared; whether the condition applies to new '
'code only (true), to whole files only (false) or to both (null); what happens if the number is unknown; and the '
'reason for the condition. Can be null: minimum, maximum, on_new_code.';
alter function api.gate_conditions owner to qm_reader;
grant execute on function api.gate_conditions to qm_user;
