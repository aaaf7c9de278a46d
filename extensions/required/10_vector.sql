-- pgvector: stores vectors for dense search (HNSW indexes), and BM25 weights as sparse vectors. The installation
-- refuses versions below 0.8, because they lack iterative index scans.
create extension if not exists vector with schema ext;
