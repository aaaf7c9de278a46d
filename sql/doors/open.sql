-- Lets qm_reader create objects in two schemas. The files of functions make qm_reader the owner of functions, and
-- PostgreSQL requires this right of the new owner. sql/doors/close.sql revokes the right.
grant usage, create on schema api, service to qm_reader;
