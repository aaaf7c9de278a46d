-- knowledge.read_topic: there are four cases:
-- 1. The topic is a path or the name of an object. The lookup returns this object (knowledge.named_symbols) and its
-- members, and searches nothing.
-- 2. The topic is one ordinary word, such as "timeout". The lookup also searches, because the word may mean more than
-- one object. Private and outdated objects with this name are left out, because they may have it by chance.
-- 3. The topic is a name followed by one or two words, such as "Client.get timeout". The lookup returns the named
-- object, and also searches.
-- 4. In any other topic, the lookup only searches. A word with a dot, an underscore, an inner capital or a bracket
-- counts as a mentioned name.
create or replace function knowledge.read_topic(p_distribution_id bigint, p_topic text)
returns table (named bigint[], mentioned text[], is_searched boolean, is_near boolean, may_compare boolean)
language plpgsql
stable parallel safe security invoker
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_is_word constant boolean := coalesce(p_topic ~ '^\w+$' collate core.c_utf8 and p_topic !~ '_|.[A-Z]', false);
    v_leading constant text := (
        regexp_match(p_topic, '^([\w.]*[._A-Z][\w.]*\w)(\s+\S+){1,2}$' collate core.c_utf8)
    )[1];
begin
    is_searched := p_topic is not null;
    is_near := false;
    mentioned := '{}'::text[];
    if p_topic ~ '^[\w.]+$' collate core.c_utf8 then
        named := array(select n.id from knowledge.named_symbols(p_distribution_id, p_topic) as n (id));
        is_near := cardinality(named) = 0;
        is_searched := v_is_word or is_near;
        if v_is_word then
            named := array(
                select s.id
                from unnest(named) with ordinality as n (id, place)
                inner join knowledge.symbol as s on s.id = n.id and s.is_public and s.priors[7] = 0
                order by n.place
            );
        end if;
    elsif v_leading is not null then
        named := array(
            select n.id from knowledge.named_symbols(p_distribution_id, v_leading, true) as n (id) limit 1
        );
    end if;
    if is_searched then
        mentioned := array(
            select m.parts[1]
            from regexp_matches(p_topic, '([A-Za-z_][\w.]*\w)(\(?)' collate core.c_utf8, 'g') as m (parts)
            where m.parts[1] ~ '[._]|.[A-Z]' or m.parts[2] <> ''
        );
    end if;
    may_compare := is_searched and (coalesce(cardinality(named), 0) = 0 or v_leading is not null);
    return next;
end
$function$;
comment on function knowledge.read_topic(bigint, text) is
'Finds out which objects the topic of a lookup names, and whether to search for the topic. Arguments: '
'p_distribution_id: id of the library; p_topic: the topic (null: none). Returns: the ids of the objects that the topic '
'names (null: it is no name); the names that the topic mentions among other words; true if the library should be '
'searched for the topic; true if the topic is a name that no object has; and true if a model may compare the objects '
'with the topic.';
grant execute on function knowledge.read_topic to qm_reader;
