-- policy.put_matcher: the key "tools" is a short form for names of the kind tool.
-- Writes: policy.matcher.
create or replace function policy.put_matcher(p_object jsonb)
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_digest constant bytea := sha256(convert_to(p_object::text, 'UTF8'));
    v_id integer;
begin
    select m.id into v_id from policy.matcher as m where m.digest = v_digest;
    if v_id is null then
        insert into policy.matcher as m (digest, object, kinds, origins, names, categories, read_only, destructive)
        values (
            v_digest,
            p_object,
            case when p_object ? 'tools' then array['tool'] else policy.text_list(p_object -> 'kinds') end,
            policy.text_list(p_object -> 'origins'),
            policy.text_list(coalesce(p_object -> 'tools', p_object -> 'names')),
            policy.text_list(p_object -> 'categories'),
            (p_object ->> 'read_only')::boolean,
            (p_object ->> 'destructive')::boolean
        )
        on conflict (digest) do update set object = m.object
        returning m.id into v_id;
    end if;
    return v_id;
end
$function$;
comment on function policy.put_matcher(jsonb) is
'Finds the matcher for the object of a rule, or creates it if it does not exist. (The object contains the conditions '
'that choose cards.) Argument p_object: the object as JSON. Every condition is optional. Returns the id of the '
'matcher.';
