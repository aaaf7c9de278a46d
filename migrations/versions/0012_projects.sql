-- Projects: code bases that decisions, code quality and knowledge are about.

create schema projects;
