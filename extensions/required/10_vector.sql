-- pgvector: dense search (HNSW), and BM25 weights as sparse vectors. Versions below 0.8 are refused, because they lack
-- iterative scans.
create extension if not exists vector with schema ext;
