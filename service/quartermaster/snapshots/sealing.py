"""A snapshot becomes a signed file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from quartermaster.secrets.signing_key import SigningKey
from quartermaster.snapshots import artifact, seal


def write_sealed(
    data_dir: Path, name: str, manifest: str, tools: Iterable[artifact.Row]
) -> dict[str, Any]:
    """Writes and signs the artifact of a snapshot.

    Args:
        data_dir: of the service, with its key.
        name: of the snapshot.
        manifest: of it.
        tools: rows of api.read_snapshot.

    Returns:
        The arguments of api.seal_snapshot.
    """
    path = artifact.path_of(data_dir, name)
    artifact.write_artifact(path, manifest, tools)
    digest = artifact.digest_of(path)
    key = SigningKey.open(data_dir)
    return {
        "name": name,
        "public_key": key.public_key,
        "signature": key.sign(seal.message(manifest, digest)),
        "artifact": str(path.relative_to(data_dir)),
        "artifact_hash": digest,
        "artifact_bytes": path.stat().st_size,
    }
