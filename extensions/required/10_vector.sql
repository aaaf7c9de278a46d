-- pgvector: dense search (HNSW) and BM25 weights as sparse vectors. Refused below 0.8: iterative scans came with it.
create extension if not exists vector with schema ext;
