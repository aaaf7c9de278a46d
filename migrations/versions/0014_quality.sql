-- Code quality: scans, findings, scores, gates.

create schema quality;
