-- knowledge.has_words: a topic with a dot, an underscore or a capital inside a word is the name of an object.
create or replace function knowledge.has_words(p_path text, p_topic text)
returns boolean
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select
        p_topic !~ '[._]|.[A-Z]'
            and tsvector_to_array(search.tokenize(p_topic)) <@ tsvector_to_array(search.tokenize(p_path));
$function$;
comment on function knowledge.has_words(text, text) is
'Checks whether a path contains all words of a topic, in any grammatical form. Arguments: p_path: path of an object; '
'p_topic: the topic. Returns true if the path contains all words, otherwise false. Also returns false if the topic '
'looks like the name of an object.';
grant execute on function knowledge.has_words to qm_reader;
