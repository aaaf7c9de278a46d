create or replace function knowledge.has_vector(p_text_hash bytea)
returns boolean
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return exists (
        select from search.embedding as e
        inner join search.model as m on m.id = e.model_id and m.active
        where e.text_hash = p_text_hash and e.kind = 'symbol'
    );
end
$function$;
comment on function knowledge.has_vector(bytea) is
'Checks whether a text has a vector from the active model. Argument p_text_hash: hash of the text. Returns true if the '
'text has such a vector.';
grant execute on function knowledge.has_vector to qm_reader;
