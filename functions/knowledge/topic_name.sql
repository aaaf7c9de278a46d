-- knowledge.topic_name: the form in which a topic is the key of fetched documentation.
create or replace function knowledge.topic_name(p_topic text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select left(btrim(regexp_replace(lower(coalesce(p_topic, '')), '\s+', ' ', 'g')), 200);
$function$;
comment on function knowledge.topic_name(text) is
'Normalises the topic of a lookup. Argument p_topic: the topic. Returns the topic in lower case, with single spaces, '
'cut to 200 characters.';
