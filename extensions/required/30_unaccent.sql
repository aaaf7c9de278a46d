-- unaccent: removes accents from documents, goals and names. The installation refuses a server without it.
create extension if not exists unaccent with schema ext;
