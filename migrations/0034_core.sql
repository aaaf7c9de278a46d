-- A card that stands for others of the same meaning names them, so that one that can be used takes its place.
alter type search.found add attribute twins bigint[];
comment on type search.found is
'A card that the search engine found: the score (0 to 1); the score from each channel; the channels that found it; its '
'features in the order of its feature set; the log odds behind a learned score (null: fusion); the ids of the cards of '
'the same meaning that it stands for (null: none).';
