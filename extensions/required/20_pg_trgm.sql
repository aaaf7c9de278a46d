-- pg_trgm: finds similar names by their trigrams. The installation refuses a server without it.
create extension if not exists pg_trgm with schema ext;
