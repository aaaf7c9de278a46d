-- lookup.feature_names: what the learned score looks at, in the order of the array that lookup.candidates returns.
create or replace function lookup.feature_names()
returns text[]
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select array[
        'cosine', 'query_share', 'name_share', 'trigram', 'exact', 'words_said', 'words_begun', 'name_words', 'first_equal', 'first_begun',
        'first_similar', 'second_similar', 'second_equal', 'second_near', 'numbers_found', 'numbers_unsaid', 'numbers_missing', 'alias',
        'evidence', 'property_true', 'property_false', 'short_equal', 'stem_equal', 'begins', 'continues', 'in_name', 'in_query', 'first_stem',
        'second_stem', 'first_unknown', 'first_other', 'one_word_query', 'one_word_name', 'length_ratio', 'language', 'verbatim',
        'letters_equal', 'initial_fits', 'unexplained', 'initials', 'acronym', 'moved_known', 'moved_unknown', 'moved_evidence', 'moved_kin',
        'repeated', 'both_similar', 'short_query', 'cosine_half', 'cosine_high', 'trigram_half', 'trigram_high', 'query_share_half',
        'query_share_high', 'name_share_half', 'name_share_high', 'words_begun_half', 'words_begun_high', 'first_similar_half',
        'second_similar_half', 'sem'
    ];
$function$;
comment on function lookup.feature_names() is
'Names of the features of a name for a query. Shares of inverse document frequency, over trigrams and words: cosine, query_share, name_share; over words: words_said (equal), words_begun (or begun), evidence (only among the properties). Of trigrams: trigram, in_name, in_query, first_similar, second_similar, second_near, both_similar. Of the name: exact, verbatim, letters_equal, stem_equal, short_equal, begins, continues, name_words, length_ratio, alias, one_word_name. Of first and second word: equal, begun, stem, unknown (known to no name of the table), other. moved: another first word, the same second one. numbers_: of the query found, of the name unsaid, of the query missing. _half and _high: what a feature has above one half and above 0.8 (words_begun 0.9). sem: cosine of the vectors of query and name, 0 where the query has none.';
grant execute on function lookup.feature_names to qm_user;
