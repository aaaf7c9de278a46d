-- Writes: quality.feedback.
create or replace function api.give_quality_feedback(
    tool text, rating integer, comment text default '', project text default null
)
returns bigint
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_id bigint;
begin
    if give_quality_feedback.rating is null or give_quality_feedback.rating not between 1 and 10 then
        perform core.fail('argument_invalid', 'a rating must be a number from 1 (useless) to 10 (very useful)');
    end if;
    if length(coalesce(give_quality_feedback.comment, '')) > 4000
        or (give_quality_feedback.tool ~ '^[a-z_]{1,60}$') is not true
    then
        perform core.fail(
            'argument_invalid', 'the comment is longer than 4000 characters, or the name of the tool is not valid'
        );
    end if;
    insert into quality.feedback (project_id, principal_id, tool, rating, comment, given_at)
    values (
        projects.find(give_quality_feedback.project),
        v_principal_id,
        give_quality_feedback.tool,
        give_quality_feedback.rating,
        coalesce(give_quality_feedback.comment, ''),
        core.now()
    )
    returning id into v_id;
    return v_id;
end
$function$;
comment on function api.give_quality_feedback(text, integer, text, text) is
'Stores an agent''s rating of a quality tool. Arguments: tool: name of the tool; rating: a number from 1 (useless) to '
'10 (exactly what was needed); comment: reason for the rating; project: the project, as NAME or OWNER/NAME (null: your '
'only project). Returns the id of the feedback. Raises QM404 project_not_found, QM422 argument_invalid.';
grant execute on function api.give_quality_feedback to qm_user;
