-- PL/Python: embed() inside the database, so that psql alone searches by meaning. Without it the service embeds.
create extension if not exists plpython3u;
