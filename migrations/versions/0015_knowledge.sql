-- Knowledge: symbols of installed packages, passages of notes.

create schema knowledge;
