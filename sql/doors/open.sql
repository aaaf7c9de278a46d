-- Lets the files of functions give functions to qm_reader: the new owner of a function must be allowed to create in its
-- schema. sql/doors/close.sql takes the right away again.
grant usage, create on schema api to qm_reader;
