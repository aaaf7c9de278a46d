"""``qm ask`` (the same as ``qm knowledge ask``): answers a question with cited notes."""

from __future__ import annotations

from typing import Annotated

from quartermaster.cli.command import Qm
from quartermaster.cli.noun import WORDS, Noun
from quartermaster.cli.session import Row
from quartermaster.core.api_call import without_none
from quartermaster_knowledge import api
from quartermaster_knowledge.vouching import verification_text

Domain = Annotated[str | None, "Only notes of this domain; see qm knowledge experts."]
_PRINTED_MEMBERS = ("text", "note", "heading", "source", "project", "owner")

noun = Noun()


@noun.verb()
def ask_command(
    qm: Qm,
    question: Annotated[str, "The question in plain words.", WORDS],
    domain: Domain = None,
) -> Row:
    """Answer a question with cited passages, or say that no note answers it."""
    asked = without_none(question=question, domain=domain)
    if qm.dsn is None:
        result = qm.service.result_of("tapps_consult_expert", asked, "/mcp/knowledge")
        answer: Row = result["structuredContent"]
    else:
        answer = _from_database(qm, asked)
    for each in answer["decisions"]:
        qm.say(f"Decision of {each['owner']}/{each['project']}: {each['text']}\n")
    for passage in answer["passages"]:
        source = ", ".join(filter(None, (passage["source"], verification_text(passage))))
        qm.say(f"{passage['text']}\n  {passage['note']}: {source}\n")
    if answer["no_answer"]:
        qm.say("No answer: no note covers this question.")
    if answer["waiting"]:
        from quartermaster_knowledge.expert_answers import waiting_text

        qm.note(waiting_text(answer))
    qm.say(f"Confidence {answer['confidence']:.2f}, domain {answer['expert'] or 'unknown'}.")
    return {
        "no_answer": answer["no_answer"],
        "confidence": answer["confidence"],
        "passages": [
            {name: each[name] for name in _PRINTED_MEMBERS} for each in answer["passages"]
        ],
        "waiting": answer["waiting"],
    }


def _from_database(qm: Qm, asked: Row) -> Row:
    from quartermaster.cli.goal_models import instruction_encoder
    from quartermaster_knowledge.expert_answers import checked_answer

    [row] = qm.call(api.ask_expert(**asked))
    of_projects = any(each["project"] for each in row["passages"])
    return checked_answer(row, instruction_encoder(qm) if of_projects else None)
