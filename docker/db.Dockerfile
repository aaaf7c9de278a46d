# The database server: Debian 13, PostgreSQL 17, pgvector, pg_cron, PL/Python, packages for embed().
# Build from the repository's root: docker build -f docker/db.Dockerfile -t quartermaster-db .
FROM debian:trixie-slim

COPY docker/install-server.sh docker/plpy-requirements.txt /tmp/install/
RUN sh /tmp/install/install-server.sh --with-embedding \
    && rm -r /tmp/install \
    && install --directory --owner=postgres --group=postgres /run/postgresql

COPY extensions/plpy /opt/quartermaster/plpy
COPY docker/run-server.sh /usr/local/bin/run-server.sh

ENV PGDATA=/var/lib/postgresql/data \
    PYTHONPATH=/opt/quartermaster/python:/opt/quartermaster/plpy \
    PYTHONDONTWRITEBYTECODE=1 \
    ORT_DISABLE_TELEMETRY=1 \
    LANG=C.UTF-8

USER postgres
VOLUME /var/lib/postgresql
EXPOSE 5432
# Fast shutdown: open transactions are rolled back, and no recovery is needed at the next start.
STOPSIGNAL SIGINT
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s \
    CMD /usr/lib/postgresql/17/bin/pg_isready --quiet --host 127.0.0.1 --dbname quartermaster
CMD ["sh", "/usr/local/bin/run-server.sh"]
