"""Pictures from files, as red, green and blue from 0 to 255. Needs memnets[images].

Grey, CMYK, pictures with a palette and of 16 bits are turned into colours of 8 bits; what is
transparent stands on white; a camera's note of how it was held is followed. A file that is cut
off, animated, tiny or far too large is refused.
"""

import os
import struct
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from memnets.data.rows import existing

LEAST = 8
"""Pixels of a side, at least."""
MOST = 50_000_000
"""Pixels of a picture, at most: a file of a few kilobytes may claim any number."""


def read_image(path: str | os.PathLike[str], side: int | None = None) -> np.ndarray:
    """Read a picture: `(height, width, 3)`, whole numbers from 0 to 255.

    Args:
        path: of a file that Pillow can read: PNG, JPEG, WebP, GIF with one frame ...
        side: if given, the picture is resized so that its shorter side has so many pixels, and its
            middle is cut out: `(side, side, 3)`.

    Raises:
        ModuleNotFoundError: Pillow is not installed.
        FileNotFoundError: there is no such file.
        ValueError: it is no picture, cut off, animated, too small or too large.
    """
    path = existing(path)
    pillow = _library()
    with warnings.catch_warnings():
        warnings.simplefilter("error", pillow.Image.DecompressionBombWarning)
        warnings.filterwarnings("ignore", category=UserWarning, module="PIL")
        try:
            with pillow.Image.open(path) as image:
                _expect_size(path, *image.size)
                if (frames := getattr(image, "n_frames", 1)) > 1:
                    raise ValueError(
                        f"{path}: it is animated, of {frames} frames; expected one picture. Save "
                        f"the frame that you mean as a file of its own."
                    )
                image.load()
                found = _in_colours(pillow, pillow.ImageOps.exif_transpose(image))
        except (pillow.Image.DecompressionBombWarning, pillow.Image.DecompressionBombError):
            raise _too_large(path, "far more") from None
        except pillow.UnidentifiedImageError:
            raise ValueError(
                f"{path}: it is no picture that can be read. Expected PNG, JPEG or another common "
                f"format. Save it as one of these."
            ) from None
        except (OSError, SyntaxError, EOFError, struct.error) as error:
            raise ValueError(
                f"{path}: the picture cannot be read to its end ({error}). The file is cut off or "
                f"damaged. Fetch it anew."
            ) from None
    return np.asarray(found if side is None else _fitted(pillow, found, side))


def resized(image: np.ndarray, side: int) -> np.ndarray:
    """Return the middle of a picture, its shorter side resized: `(side, side, 3)`.

    Args:
        image: `(height, width, 3)` from 0 to 255.
        side: pixels of both sides.

    Raises:
        ModuleNotFoundError: Pillow is not installed.
        ValueError: it is no picture of three colours.
    """
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise ValueError(
            f"a picture of shape {image.shape} and type {image.dtype} came; expected (height, "
            f"width, 3), whole numbers from 0 to 255 (uint8). Turn it into one."
        )
    pillow = _library()
    return np.asarray(_fitted(pillow, pillow.Image.fromarray(image), side))


def _fitted(pillow: Any, image: Any, side: int) -> Any:
    if image.size == (side, side):
        return image
    return pillow.ImageOps.fit(image, (side, side), pillow.Image.Resampling.BILINEAR)


def _expect_size(path: Path, width: int, height: int) -> None:
    if min(width, height) < LEAST:
        raise ValueError(
            f"{path}: the picture has {width} x {height} pixels; expected {LEAST} on each side at "
            f"least. Give a larger one."
        )
    if width * height > MOST:
        raise _too_large(path, f"{width:,} x {height:,}")


def _too_large(path: Path, size: str) -> ValueError:
    return ValueError(
        f"{path}: the picture claims {size} pixels; expected {MOST:,} in all at most. Make it "
        f"smaller with an image editor, if it is what it says."
    )


def _in_colours(pillow: Any, image: Any) -> Any:
    """Return a picture in red, green and blue, of 8 bits each."""
    if image.mode.startswith(("I", "F")):  # 16 bits, or more: to 8 by their range
        grey = np.asarray(image, dtype=np.float64)
        most = 1.0 if image.mode == "F" and grey.max(initial=0.0) <= 1 else 65_535.0
        return pillow.Image.fromarray(
            np.clip(np.round(grey / most * 255), 0, 255).astype(np.uint8)
        ).convert("RGB")
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        image = image.convert("RGBA")
        white = pillow.Image.new("RGBA", image.size, "white")
        return pillow.Image.alpha_composite(white, image).convert("RGB")
    return image.convert("RGB")


def _library() -> Any:
    try:
        import PIL
        import PIL.Image
        import PIL.ImageOps
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "pictures are read by Pillow, which is not installed. "
            "Run: pip install 'memnets[images]'"
        ) from None
    return PIL
