"""The outage copy on this machine: a signed file of rights and a file of definitions.

The file of rights contains the hash of the file of definitions, so that one signature verifies
both. Definitions are stored by card id and state, and do not record who may see them. So only the
small file of rights has to be rewritten when rights change.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, NamedTuple

from quartermaster.core.errors import QmError
from quartermaster.core.locks import exclusive
from quartermaster.core.paths import write_private
from quartermaster.snapshots import artifact, seal

FOLDER: Final = "outage"
_RIGHTS: Final = "rights.json"
Row = Mapping[str, Any]


class CopyFiles(NamedTuple):
    """The files of an outage copy.

    Attributes:
        rights: JSON returned by service.read_outage_copy.
        path: path of the definitions file.
        digest: SHA-256 of the definitions file.
    """

    rights: str
    path: Path
    digest: bytes


def read(data_dir: Path, verified: bytes = b"") -> CopyFiles:
    """Reads the latest copy and verifies its signature.

    Args:
        data_dir: the data directory.
        verified: SHA-256 of a definitions file that this process has already written or verified.

    Raises:
        QmError: QM503 standby_missing or standby_damaged.
    """
    head = _read_head(data_dir / FOLDER / _RIGHTS)
    copied = CopyFiles(head["manifest"], data_dir / head["artifact"], head["artifact_hash"])
    is_known = copied.digest == verified and copied.path.is_file()
    if not is_known and (faults := seal.faults(head, data_dir)):
        raise unusable("standby_damaged", f"cannot be trusted: {'; '.join(faults)}")
    return copied


def keep_rights(data_dir: Path, rights: str, verified: bytes) -> CopyFiles | None:
    """Rewrites the rights, and keeps the existing definitions.

    Args:
        data_dir: the data directory.
        rights: JSON returned by service.read_outage_copy.
        verified: see `read`.

    Returns:
        The new copy; None if there are no definitions yet, or if they differ from the signed
        definitions.

    Raises:
        OSError: the file cannot be written.
    """
    with _writing(data_dir):
        try:
            before = read(data_dir, verified)
        except QmError:
            return None
        return _write(data_dir, before._replace(rights=rights))


def keep_definitions(
    data_dir: Path, rights: str, base: CopyFiles | None, cards: Iterable[Row], gone: Iterable[int]
) -> CopyFiles:
    """Writes a new outage copy: the rights, and the definitions of `base` with changes.

    Args:
        data_dir: the data directory.
        rights: JSON returned by service.read_outage_copy.
        base: the copy whose definitions are kept; None keeps no definitions.
        cards: new and changed cards, as rows of service.read_definitions.
        gone: ids of cards to remove.

    Raises:
        OSError, sqlite3.Error: the files cannot be written, or another process has replaced the
            base.
    """
    folder = data_dir / FOLDER
    with _writing(data_dir):
        made = folder / "making.sqlite"
        rows = map(dict[str, Any], cards)
        if base is None:
            artifact.write_artifact(made, "", rows)
        else:
            artifact.change_artifact(made, base.path, rows, gone)
        digest = artifact.digest_of(made)
        path = made.replace(folder / f"cards-{digest.hex()[:16]}.sqlite")
        copied = _write(data_dir, CopyFiles(rights, path, digest))
        for old in folder.glob("cards-*.sqlite"):
            if old != path:
                old.unlink(missing_ok=True)
        return copied


def unusable(
    slug: str, because: str, hint: str = "Try again when the database is back."
) -> QmError:
    """Returns the error QM503 that says why the outage copy is not used.

    Args:
        slug: standby_missing, standby_damaged or standby_too_old.
        because: why, after "its local copy".
        hint: next step for the caller.
    """
    return QmError(503, slug, f"The database is unavailable, and its local copy {because}.", hint)


def _read_head(path: Path) -> dict[str, Any]:
    try:
        head: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
        texts = {name: head[name] for name in ("manifest", "artifact")}
        hashes = ("artifact_hash", "public_key", "signature")
        return texts | {name: bytes.fromhex(head[name]) for name in hashes}
    except FileNotFoundError:
        raise unusable("standby_missing", f"in {path.parent} does not exist") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise unusable("standby_damaged", f"{path} cannot be read: {error}") from error


def _writing(data_dir: Path) -> AbstractContextManager[None]:
    folder = data_dir / FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return exclusive(folder / "lock")


def _write(data_dir: Path, copied: CopyFiles) -> CopyFiles:
    head = seal.sealed(data_dir, copied.rights, copied.path, copied.digest)
    text = json.dumps({"manifest": copied.rights} | head, default=bytes.hex, ensure_ascii=False)
    write_private(data_dir / FOLDER / _RIGHTS, text + "\n")
    return copied
