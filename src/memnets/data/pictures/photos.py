"""Photos with captions: the files of Flickr8k, Flickr30k and COCO, and those of your own.

Captions come as CSV `image,caption`, as the token file of Flickr (`image.jpg#0<TAB>caption`), as
the JSON of COCO, or as that of Karpathy and Li, which says too in which part a photo is. None of
these sets may be passed on: they are read where they lie.

Cite: hodosh2013, karpathy2015
"""

import csv
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from memnets.data.pictures.features import read_features
from memnets.data.pictures.images import read_image
from memnets.data.rows import decoded, existing, numbered

PARTS = {
    "train": ("train", "Flickr_8k.trainImages", "flickr8k_train", "train_images"),
    "valid": ("valid", "dev", "val", "Flickr_8k.devImages", "flickr8k_dev", "dev_images"),
    "test": ("test", "Flickr_8k.testImages", "flickr8k_test", "test_images"),
}
"""How files of names are called, without .txt."""
OF_KARPATHY = {"train": "train", "restval": "train", "val": "valid", "test": "test"}
HELD_OUT = 0.1
"""Share of photos that choose, and as many that are reported, where nobody says which."""


class Told(NamedTuple):
    """What a file of captions says.

    Attributes:
        captions: of each photo, by the name of its file.
        parts: in which part each photo is, where the file says so.
    """

    captions: dict[str, tuple[str, ...]]
    parts: dict[str, str]


@dataclass(frozen=True)
class CaptionedPhotos:
    """A part: photos, or features of them, with their captions.

    Attributes:
        names: of the files.
        captions: of each photo.
        images: `(photo, side, side, 3)` from 0 to 255; of features `(photo, slot, dim)`.
        features: what the file of features says of itself; None where these are photos.
    """

    names: tuple[str, ...]
    captions: tuple[tuple[str, ...], ...]
    images: np.ndarray
    features: dict[str, Any] | None = None

    def __len__(self) -> int:
        return len(self.names)

    @property
    def flat(self) -> tuple[str, ...]:
        """The captions of all photos, one behind the other."""
        return tuple(text for texts in self.captions for text in texts)

    @property
    def sha256(self) -> str:
        """The checksum of names, captions and pictures."""
        found = hashlib.sha256(repr((self.names, self.captions)).encode())
        found.update(np.ascontiguousarray(self.images).tobytes())
        return found.hexdigest()


def load_photos(
    captions: str | os.PathLike[str],
    folder: str | os.PathLike[str] | None = None,
    splits: str | os.PathLike[str] | None = None,
    features: str | os.PathLike[str] | None = None,
    side: int = 64,
) -> dict[str, CaptionedPhotos]:
    """Load photos with their captions, in three parts.

    Args:
        captions: the file of captions.
        folder: where the pictures are, also in folders below; by default that of the captions.
        splits: a folder with files of names; without one the captions say it, or the last photos
            by name are held back, a tenth for each part.
        features: a file of features, which is read in place of the pictures.
        side: pixels that pictures are resized to.

    Raises:
        FileNotFoundError: a file, or a photo, is not there.
        ValueError: a file cannot be read, or a part has no photo.
    """
    captions = existing(captions)
    told = read_captions(captions)
    parts = _parts(told, captions, None if splits is None else Path(splits))
    if features is not None:
        made = read_features(features)
        return {
            part: CaptionedPhotos(
                names, tuple(told.captions[n] for n in names), made.of(names), made.described
            )
            for part, names in parts.items()
        }
    at = _pictures(captions.parent if folder is None else Path(folder))
    return {
        part: CaptionedPhotos(
            names,
            tuple(told.captions[name] for name in names),
            np.stack([read_image(_named(at, name, captions), side) for name in names]),
        )
        for part, names in parts.items()
    }


def flickr8k(folder: str | os.PathLike[str] | None = None) -> tuple[Path, Path]:
    """Return where the captions and the photos of Flickr8k are: `captions.txt` and `Images`.

    Args:
        folder: of the set, or one that contains it as `flickr8k`; by default MEMNETS_DATA.

    Raises:
        FileNotFoundError: the set is not there.
    """
    named = folder if folder is not None else os.environ.get("MEMNETS_DATA")
    for place in () if named is None else (Path(named), Path(named, "flickr8k")):
        if (place / "captions.txt").is_file() and (place / "Images").is_dir():
            return place / "captions.txt", place / "Images"
    raise FileNotFoundError(
        f"{named or 'Flickr8k'}: Flickr8k is not there (captions.txt and Images). Its photos may "
        f"not be passed on: ask for them at forms.illinois.edu/sec/1713398, put both into a folder "
        f"flickr8k, and name that with --data.path, or the folder around it with MEMNETS_DATA."
    )


def read_captions(path: str | os.PathLike[str]) -> Told:
    """Read a file of captions, whichever of the known formats it has.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it has none of the formats, or a caption is empty; the text names the line.
    """
    path = existing(path)
    if path.suffix.lower() == ".json":
        return _of_json(path)
    found: dict[str, list[str]] = {}
    for row, name, text in _csv(path) if _is_csv(path) else _tokens(path):
        if not text.strip():
            raise ValueError(
                f"{path}:{row}: the caption of {name} is empty; expected words. Write it, or take "
                f"the line out."
            )
        found.setdefault(name, []).append(" ".join(text.split()))
    if not found:
        raise ValueError(f"{path}: it holds no caption. Expected `image,caption` lines, say.")
    return Told({name: tuple(texts) for name, texts in found.items()}, {})


def _is_csv(path: Path) -> bool:
    for _, data in numbered(path):
        return decoded(data).replace(" ", "").lower().startswith("image,caption")
    return False


def _csv(path: Path) -> Iterator[tuple[int, str, str]]:
    lines = ((row, decoded(data)) for row, data in numbered(path))
    next(lines)  # the heading
    for row, line in lines:
        if not line.strip():
            continue
        cells = next(csv.reader([line]))
        if len(cells) < 2:
            raise ValueError(f"{path}:{row}: {line[:80]!r} came; expected image,caption.")
        yield row, cells[0].strip(), ",".join(cells[1:])


def _tokens(path: Path) -> Iterator[tuple[int, str, str]]:
    for row, data in numbered(path):
        line = decoded(data)
        if not line.strip():
            continue
        name, tab, text = line.partition("\t")
        if not tab:
            raise ValueError(
                f"{path}:{row}: {line[:80]!r} came; expected image.jpg#0, a TAB and a caption, or "
                f"a first line `image,caption`. Correct the line."
            )
        yield row, name.partition("#")[0].strip(), text


def _of_json(path: Path) -> Told:
    try:
        record = json.loads(path.read_bytes())
        images = record["images"]
        if "annotations" in record:
            names = {image["id"]: image["file_name"] for image in images}
            pairs = [(names[one["image_id"]], one["caption"]) for one in record["annotations"]]
            parts: dict[str, str] = {}
        else:
            pairs = [(one["filename"], s["raw"]) for one in images for s in one["sentences"]]
            parts = {one["filename"]: OF_KARPATHY[one["split"]] for one in images}
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{path}: it is not the JSON of COCO (images, annotations), nor that of Karpathy and "
            f"Li (images with sentences and split): {type(error).__name__} {error}. "
            f"Fetch the file anew."
        ) from None
    found: dict[str, list[str]] = {}
    for name, text in pairs:
        if not str(text).strip():
            raise ValueError(f"{path}: a caption of {name} is empty; expected words. Take it out.")
        found.setdefault(str(name), []).append(" ".join(str(text).split()))
    if not found:
        raise ValueError(f"{path}: it holds no caption. Expected one at least.")
    return Told({name: tuple(texts) for name, texts in found.items()}, parts)


def _parts(told: Told, path: Path, splits: Path | None) -> dict[str, tuple[str, ...]]:
    if splits is not None:
        found = {part: _listed(splits, names, told) for part, names in PARTS.items()}
    elif told.parts:
        found = {
            part: tuple(sorted(name for name in told.captions if told.parts.get(name) == part))
            for part in PARTS
        }
    else:
        names = sorted(told.captions)
        held = round(HELD_OUT * len(names))
        ends = len(names) - 2 * held, len(names) - held
        found = {
            "train": tuple(names[: ends[0]]),
            "valid": tuple(names[ends[0] : ends[1]]),
            "test": tuple(names[ends[1] :]),
        }
    for part, names_of in found.items():
        if not names_of:
            raise ValueError(
                f"{path}: no photo of the part {part!r} has a caption. Expected one at least; give "
                f"more photos, or other files of names."
            )
    return found


def _listed(folder: Path, names: Sequence[str], told: Told) -> tuple[str, ...]:
    for name in names:
        file = folder / f"{name}.txt"
        if file.is_file():
            lines = [decoded(data).strip() for _, data in numbered(file)]
            return tuple(line for line in dict.fromkeys(lines) if line in told.captions)
    raise FileNotFoundError(
        f"{folder}: it has no file {' or '.join(f'{name}.txt' for name in names)} with names of "
        f"photos, one a line. Write one, or leave --data.splits out."
    )


def _pictures(folder: Path) -> Mapping[str, Path]:
    if not folder.is_dir():
        raise FileNotFoundError(
            f"{folder}: there is no such folder of pictures. Name the one that holds them with "
            f"--data.path, or leave it out where they lie beside the captions."
        )
    return {path.name: path for path in sorted(folder.rglob("*")) if path.is_file()}


def _named(at: Mapping[str, Path], name: str, captions: Path) -> Path:
    found = at.get(Path(name).name)
    if found is None:
        raise FileNotFoundError(
            f"{name}: {captions} has a caption of this picture, and it is not there. Name the "
            f"folder of the pictures with --data.path, or take its captions out."
        )
    return found
