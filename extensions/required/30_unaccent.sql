-- unaccent: folds accents in documents, goals and labels. Without it the installation is refused.
create extension if not exists unaccent with schema ext;
