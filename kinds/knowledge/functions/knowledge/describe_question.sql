create or replace function knowledge.describe_question(p_ref bigint)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select knowledge.describe_passage(q.passage_id) || jsonb_build_object('question', q.text)
    from knowledge.question as q
    where q.id = p_ref;
$function$;
comment on function knowledge.describe_question(bigint) is
'Describes a question for api.describe_card. Argument p_ref: id of the question. Returns the JSON object from '
'knowledge.describe_passage for the passage that answers the question. The member "question" is added to this object.';
grant execute on function knowledge.describe_question to qm_reader;
