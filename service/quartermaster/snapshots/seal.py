"""Seals a snapshot: signs its manifest and its artifact, and checks the signature."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from quartermaster.secrets.signing_key import SigningKey, is_signed
from quartermaster.snapshots import artifact


def message(manifest: str, artifact_hash: bytes) -> bytes:
    """Returns the message that the seal of a snapshot signs."""
    return f"quartermaster snapshot {manifest} {artifact_hash.hex()}".encode()


def faults(snapshot: Mapping[str, Any], data_dir: Path) -> list[str]:
    """Checks the seal and the artifact of a snapshot, and returns the problems.

    Args:
        snapshot: row of api.list_snapshots.
        data_dir: data directory of the service, with the artifact and the key.
    """
    if snapshot["signature"] is None:
        return [
            "the snapshot is not sealed, because it was created only to undo an activation, or its"
            " creation was interrupted; to create a sealed snapshot: qm snapshot create NAME"
        ]
    found: list[str] = []
    signed = message(snapshot["manifest"], snapshot["artifact_hash"])
    if not is_signed(snapshot["public_key"], signed, snapshot["signature"]):
        found.append("the signature does not match the content")
    ours = SigningKey.find(data_dir)
    if ours is not None and ours.public_key != snapshot["public_key"]:
        found.append("the snapshot was not signed with the key of this data directory")
    path = data_dir / snapshot["artifact"]
    if not path.is_file():
        found.append(f"the artifact {path} is missing")
    elif artifact.digest_of(path) != snapshot["artifact_hash"]:
        found.append(f"the artifact {path} differs from the signed artifact")
    elif (number := artifact.format_of(path)) != artifact.FORMAT:
        found.append(
            f"the artifact {path} has format {number}; this release reads format {artifact.FORMAT}"
        )
    return found


def write_sealed(
    data_dir: Path, name: str, manifest: str, items: Iterable[artifact.Row]
) -> dict[str, Any]:
    """Writes and signs the artifact of a snapshot.

    Args:
        data_dir: data directory of the service, with its key.
        name: name of the snapshot.
        manifest: manifest of the snapshot.
        items: rows of api.read_snapshot.

    Returns:
        The arguments of api.seal_snapshot.
    """
    path = artifact.path_of(data_dir, name)
    artifact.write_artifact(path, manifest, items)
    digest = artifact.digest_of(path)
    sealed_as = sealed(data_dir, manifest, path, digest)
    return sealed_as | {"name": name, "artifact_bytes": path.stat().st_size}


def sealed(data_dir: Path, manifest: str, path: Path, digest: bytes) -> dict[str, Any]:
    """Signs a manifest and an artifact.

    Args:
        data_dir: data directory of the service, with its key.
        manifest: manifest to sign.
        path: path of the artifact, which is in the data directory.
        digest: SHA-256 of the artifact.

    Returns:
        A mapping with public_key, signature, artifact (path below the data directory) and
        artifact_hash.
    """
    key = SigningKey.open(data_dir)
    return {
        "public_key": key.public_key,
        "signature": key.sign(message(manifest, digest)),
        "artifact": str(path.relative_to(data_dir)),
        "artifact_hash": digest,
    }
