-- The texts of 0013, which was edited while nothing froze it (0026), for the databases that were made before.

comment on schema decisions is 'Decisions of projects: candidates, evidence, reviews and outcomes.';
comment on table decisions.decision is
'Decisions of projects. Each decision begins as a candidate. A trigger allows only curators of decisions to make it '
'canonical.';
comment on column decisions.decision.pattern is 'The instruction: what to do or to avoid.';
comment on column decisions.decision.instead is 'What not to do. If the polarity is avoid: what to do instead.';
comment on column decisions.decision.miner is
'The miner that proposed the decision. Null: an agent or a person proposed it.';
comment on column decisions.decision.check_definition is
'How new code is compared with the decision, in one of the forms in decisions.check_form. Null: new code cannot be '
'compared.';
comment on column decisions.decision.statistics is 'What the miner counted, such as cases, followed, lift and trend.';
comment on column decisions.decision.importance is
'How much the decision matters, as its miner estimates. Lists are sorted by this number.';
comment on column decisions.decision.health is
'Whether the code still follows the decision: fresh (it does), suspect (the evidence no longer exists), contested (new '
'code does not follow it), or obsolete (what the decision names no longer exists).';
comment on column decisions.decision.superseded_by is 'The decision that replaces this one. Null: none does.';
comment on column decisions.decision.suspicion is
'What the scan for attacks found in the texts. Curators can read it. Empty: the scan found nothing.';
comment on column decisions.decision.fingerprint is
'SHA-256 of the scope, the polarity and the words of the pattern. A project cannot contain two decisions with the same '
'fingerprint.';
comment on table decisions.place is
'The globs of decisions, split into parts, so that an index can find the globs that match a path. A trigger writes the '
'rows.';
comment on column decisions.place.role is
'scope: the glob says where the decision applies; check: files to which its check applies; except: files to which its '
'check does not apply.';
comment on column decisions.place.suffix is 'The end of the glob, after its last wildcard.';
comment on column decisions.place.shape is
'What is between prefix and suffix: nothing (file), ** (tree), * (folder), **/ and a name (name), or anything else '
'(expression).';
comment on column decisions.place.expression is 'The glob as a regular expression, if the shape is expression.';
comment on column decisions.place.depth is
'How narrow the glob is: 0 if it names no folder or file, close to 1 if it names many.';
comment on column decisions.evidence.excerpt is
'A few lines of text, with secrets masked. Agents get the place of the evidence, but never this text.';
comment on column decisions.evidence.is_gone is 'Whether the lines no longer existed at the last refresh.';
comment on column decisions.evidence.is_reviewed is
'Whether the evidence was there when a curator approved the decision. Agents get no other evidence.';
comment on table decisions.link is
'Pairs of decisions that say the same thing, contradict each other, or replace each other.';
comment on column decisions.link.resolved_at is
'When a curator decided that both decisions are valid. Null: nobody has decided this.';
comment on table decisions.review is 'What curators decided, and why. Rows are added, but never changed.';
comment on column decisions.review.commit_hash is
'The commit that contains the review, if the decision was imported as reviewed.';
comment on table decisions.packet is
'Numbered evidence about one area of the code, from which a model may propose decisions. Instructions in the evidence '
'are not followed.';
comment on column decisions.packet.place is 'Position in the order in which agents get the packets, from 1.';
comment on column decisions.packet.taken_at is 'When an agent last got the packet. Null: never.';
comment on table decisions.outcome is 'Whether later commits followed the decisions that agents got.';
comment on column decisions.outcome.receipt_id is
'Id of the receipt in selection.receipt, where rows are deleted after some time.';
comment on table decisions.check_form is
'The forms that a check can have, each with its JSON Schema. No other forms are possible.';
comment on table decisions.tier is
'The groups in which agents get decisions. A decision belongs to the first tier whose conditions it meets. If it meets '
'the conditions of none, agents do not get it.';
comment on column decisions.tier.name is 'The name of the tier in answers to agents.';
comment on column decisions.tier.about is
'What a decision of this tier is about: the path, everything (or the language of the path), or other paths '
'(elsewhere).';
comment on column decisions.tier.least_topic is
'How much the decision must have in common with the task: the share of the words of the task that it contains, in '
'which rare words count more.';
comment on column decisions.tier.enough_place is
'How closely the scope must match the path (decisions.places_at), so that the task does not matter. Null: the task '
'always matters.';
comment on column decisions.tier.only_sources is
'Whether only files of a known language, and no folders, get decisions of this tier.';
comment on column decisions.tier.most is 'Maximum number of decisions of this tier in an answer.';
comment on column decisions.tier.reason is 'Why these limits were chosen.';
