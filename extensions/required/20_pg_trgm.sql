-- pg_trgm: fuzzy search on names. Without it the installation is refused.
create extension if not exists pg_trgm with schema ext;
