-- decisions.describe: excerpts of evidence are left out, because anybody who may write to the repository can put any
-- text into them.
create or replace function decisions.describe(p_ref bigint)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select decisions.as_json(d) - '{importance,suspicion,miner,created_at}'::text[]
    from decisions.decision as d
    where d.id = p_ref;
$function$;
comment on function decisions.describe(bigint) is
'Describes a decision for api.describe_card. Argument p_ref: id of the decision. Returns the JSON object from '
'decisions.as_json, without the members that only curators need.';
grant execute on function decisions.describe to qm_reader;
