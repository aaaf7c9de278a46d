-- PL/Python: runs embed() inside the database, so that psql can search by meaning without the service. If PL/Python is
-- missing, the service computes the vectors.
create extension if not exists plpython3u;
