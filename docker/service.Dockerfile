# The service, installed from the wheels of the core and of all kinds. The database is another
# container (compose.yaml).
# Build from the repository's root: docker build -f docker/service.Dockerfile -t quartermaster .
FROM python:3.11-slim AS build

WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /dist . ./kinds/*/

FROM python:3.11-slim

# The pinned packages are installed first, with hashes. The wheels then need no further packages.
COPY requirements/runtime.txt /tmp/install/
COPY --from=build /dist /tmp/install/
RUN pip install --no-cache-dir --no-deps --require-hashes --requirement /tmp/install/runtime.txt \
    && pip install --no-cache-dir --no-deps --no-index /tmp/install/*.whl \
    && rm -r /tmp/install \
    && useradd --system --create-home --home-dir /var/lib/quartermaster quartermaster

ENV QM_DATA_DIR=/var/lib/quartermaster \
    ORT_DISABLE_TELEMETRY=1 \
    PYTHONUNBUFFERED=1

# Root starts the container. `qm up` then becomes the owner of the data directory, who is the user
# quartermaster; see docs/sandbox.md.
VOLUME /var/lib/quartermaster
EXPOSE 8765
HEALTHCHECK --interval=5s --timeout=3s --start-period=120s \
    CMD ["python", "/usr/local/bin/healthcheck.py"]
COPY docker/run-service.sh docker/healthcheck.py /usr/local/bin/
CMD ["sh", "/usr/local/bin/run-service.sh"]
