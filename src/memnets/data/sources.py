"""The data sets that can be downloaded, and where a set is looked for.

The order is: the path that the user names, the folder in MEMNETS_DATA, the download cache. What
is not found is an error. Nothing is downloaded or generated in silence: only
``memnets data get`` downloads, only ``memnets data generate`` generates.
"""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Archive:
    """One address of a data set.

    Args:
        address: where it is downloaded from.
        size: bytes, as published; for the reader, not checked; None where nobody published it.
        sha256: of the archive; None where nobody published it, then its files are checked.
    """

    address: str
    size: int | None = None
    sha256: str | None = None

    @property
    def name(self) -> str:
        return self.address.rsplit("/", 1)[1]


@dataclass(frozen=True, slots=True)
class Source:
    """One data set that can be downloaded.

    Args:
        name: what the commands call it.
        title: what it is.
        folder: the folder that its archives unpack to, or that it is looked for in.
        archives: the same set at several addresses, tried in order; none where we may not or cannot
            download it, and a folder has to be named.
        checksums: a sha256sum table of its files, relative to ``memnets.data``.
        licence: of the data.
        citation: whom to cite.
        makes: what ``memnets data generate`` can generate in its format; empty for nothing.
        origin: where copies are known to be, for a set without archives.
    """

    name: str
    title: str
    folder: str
    archives: tuple[Archive, ...]
    checksums: str
    licence: str
    citation: str
    makes: str
    origin: str = ""


_WIKIDATA = "df69267f1db4f85a71325e7e8c06e192bcaf0b0e"
_WEB = "668890853388010fe6ae9a5eb035a7917b88933b"
_MULTI30K = "a3d2e0d26b56f3846f66a952536ffed4e401d05a"


def _archive(repository: str, commit: str) -> str:
    """Address a commit of a GitHub repository; its bytes may change, its files do not."""
    return f"https://github.com/{repository}/archive/{commit}.tar.gz"


SOURCES: dict[str, Source] = {
    "babi": Source(
        name="babi",
        title="bAbI v1.2: twenty toy tasks of reading stories and answering questions",
        folder="tasks_1-20_v1-2",
        archives=(
            Archive(
                "https://dl.fbaipublicfiles.com/parlai/babi/babi.tar.gz",
                19_212_062,
                "f7f0bee187efca0d81c3daac1b162cda4eb7f9505dee5ad6846eabbed3dbf92e",
            ),
            Archive(
                "http://www.thespermwhale.com/jaseweston/babi/tasks_1-20_v1-2.tar.gz",
                15_719_851,
                "0364ebde659f14d11bc21744516c5ec49d3d06cb692733f66680771244998898",
            ),
            Archive(
                "https://s3.amazonaws.com/text-datasets/babi_tasks_1-20_v1-2.tar.gz",
                11_745_123,
                None,
            ),
        ),
        checksums="babi/checksums.txt",
        licence="CC BY 3.0 (c) 2015-present Facebook, Inc.",
        citation="Weston et al. 2015, Towards AI-Complete Question Answering, arXiv:1502.05698",
        makes="tasks 1 to 20",
    ),
}
SOURCES |= {
    name: Source(
        name=name,
        title=title,
        folder="text",
        archives=(),
        checksums="text/checksums.txt",
        licence=licence,
        citation=citation,
        makes="",
    )
    for name, title, licence, citation in (
        (
            "shakespeare",
            "tinyshakespeare: 1,115,394 characters of plays, for language models",
            "public domain text; the file is of karpathy/char-rnn (MIT)",
            "Karpathy 2015, The Unreasonable Effectiveness of Recurrent Neural Networks",
        ),
        (
            "war-and-peace",
            "War and Peace in English, raw, in three parts, for language models",
            "public domain text (Project Gutenberg); split of timbmg/RNNLM",
            "Tolstoy 1869, translated by Louise and Aylmer Maude",
        ),
        (
            "ptb",
            "Penn Treebank as Mikolov prepared it: words, and characters made of them",
            "LDC User Agreement for Non-Members; Wall Street Journal's text",
            "Marcus et al. 1993, Building a Large Annotated Corpus of English; Mikolov et al. 2010",
        ),
        (
            "wikitext-2",
            "WikiText-2 v1: words of good Wikipedia articles",
            "CC BY-SA",
            "Merity et al. 2017, Pointer Sentinel Mixture Models, arXiv:1609.07843",
        ),
    )
}

SOURCES |= {
    known.name: known
    for known in (
        Source(
            name="wikimovies",
            title="WikiMovies: questions about movies",
            folder="movieqa",
            archives=(
                Archive(
                    "http://parl.ai/downloads/wikimovies/wikimovies.tar.gz",
                    None,
                    "ed062b49922b602ebee6073f58951bf38c4772a8b53d46682f3ff80ed57de948",
                ),
            ),
            checksums="checksums/wikimovies.txt",
            licence="CC BY 3.0; plots of OMDb: unclear",
            citation="Miller et al. 2016, Key-Value Memory Networks for Directly Reading Documents",
            makes="",
        ),
        Source(
            name="metaqa",
            title="MetaQA: questions of one, two and three hops about movies",
            folder="MetaQA",
            archives=(),
            checksums="checksums/metaqa.txt",
            licence="CC BY 3.0",
            citation="Zhang et al. 2018, Variational Reasoning for Question Answering with KGs",
            makes="",
            origin="yuyuz/MetaQA on GitHub, whose README links the files",
        ),
        Source(
            name="simplequestions",
            title="SimpleQuestions v2: questions that one fact of Freebase answers",
            folder=f"wikidata-simplequestions-{_WIKIDATA}",
            archives=(Archive(_archive("askplatypus/wikidata-simplequestions", _WIKIDATA)),),
            checksums="checksums/simplequestions.txt",
            licence="CC BY 3.0",
            citation="Bordes et al. 2015, Large-scale Simple Question Answering, arXiv:1506.02075",
            makes="",
        ),
        Source(
            name="simplequestions-wikidata",
            title="SimpleQuestions mapped to Wikidata, a set of its own",
            folder=f"wikidata-simplequestions-{_WIKIDATA}",
            archives=(Archive(_archive("askplatypus/wikidata-simplequestions", _WIKIDATA)),),
            checksums="checksums/simplequestions-wikidata.txt",
            licence="CC BY 3.0",
            citation="Diefenbach et al. 2017, Question Answering Benchmarks for Wikidata",
            makes="",
        ),
        Source(
            name="simplequestions-mini",
            title="SimpleQuestions: a small split of our own",
            folder="simplequestions_mini",
            archives=(),
            checksums="checksums/simplequestions-mini.txt",
            licence="CC BY 3.0; names of Freebase: CC BY",
            citation="Bordes et al. 2015, Large-scale Simple Question Answering, arXiv:1506.02075",
            makes="",
            origin="the project's own archive of data",
        ),
        Source(
            name="webquestions",
            title="WebQuestions: questions that people typed",
            folder=f"dataset-factoid-webquestions-{_WEB}",
            archives=(Archive(_archive("brmson/dataset-factoid-webquestions", _WEB)),),
            checksums="checksums/webquestions.txt",
            licence="CC BY 4.0",
            citation="Berant et al. 2013, Semantic Parsing on Freebase from Question-Answer Pairs",
            makes="",
        ),
        Source(
            name="wikiqa",
            title="WikiQA: sentences that answer a question",
            folder="WikiQACorpus",
            archives=(),
            checksums="checksums/wikiqa.txt",
            licence="Microsoft Research: research use only",
            citation="Yang et al. 2015, WikiQA: A Challenge Dataset for Open-Domain QA",
            makes="",
            origin="Microsoft's download centre (WikiQA Corpus), where its licence is accepted",
        ),
        Source(
            name="ud-english-ewt",
            title="UD English-EWT: a part of speech for every word of 16,622 sentences of the web",
            folder="ud_english_ewt",
            archives=(),
            checksums="checksums/ud-english-ewt.txt",
            licence="CC BY-SA 4.0",
            citation="Silveira et al. 2014, A Gold Standard Dependency Corpus for English",
            makes="",
            origin="UniversalDependencies/UD_English-EWT on GitHub (the .conllu files will do)",
        ),
        Source(
            name="sst",
            title="Stanford Sentiment Treebank: labelled phrases of 11,855 sentences about films",
            folder="trees",
            archives=(),
            checksums="checksums/sst.txt",
            licence="none came with it: for research, not to be passed on",
            citation="Socher et al. 2013, Recursive Deep Models for Semantic Compositionality",
            makes="",
            origin="nlp.stanford.edu/sentiment (trainDevTestTrees_PTB.zip, whose folder is trees)",
        ),
        Source(
            name="multi30k",
            title="Multi30k task 1: captions of 31,014 photos in English and German",
            folder=f"dataset-{_MULTI30K}",
            archives=(Archive(_archive("multi30k/dataset", _MULTI30K)),),
            checksums="checksums/multi30k.txt",
            licence="none came with it: research and education only, not to be passed on",
            citation="Elliott et al. 2016, Multi30K: Multilingual Image Descriptions",
            makes="",
        ),
    )
}


def source(name: str) -> Source:
    """The data set of that name; a ValueError that lists the names if there is none."""
    if name not in SOURCES:
        raise ValueError(
            f"{name!r}: there is no data set of this name. Choose one of {', '.join(SOURCES)}."
        )
    return SOURCES[name]


def cache_folder() -> Path:
    """Where downloads are kept: MEMNETS_CACHE, else the system's cache folder."""
    import pooch  # 0.2 s, and only wanted when the cache is.

    return Path(os.environ.get("MEMNETS_CACHE") or pooch.os_cache("memnets"))


def locate(
    name: str,
    path: str | os.PathLike[str] | None = None,
    *,
    holds: tuple[str, ...] = (),
) -> Path:
    """Find the folder of a data set.

    Args:
        name: a key of `SOURCES`.
        path: the set's folder, or one that contains it; it is not searched elsewhere then.
        holds: folders or files of which the set's folder has at least one; so it is recognised.

    Raises:
        FileNotFoundError: the set is nowhere; the text lists places, address and commands.
    """
    wanted = source(name)
    if path is not None:
        found = _inside(Path(path), wanted, holds)
        if found is None:
            raise FileNotFoundError(_not_there(wanted, Path(path), "the path"))
        return found
    places = []
    setting = os.environ.get("MEMNETS_DATA")
    if setting:
        if not Path(setting).is_dir():
            raise FileNotFoundError(_not_there(wanted, Path(setting), "MEMNETS_DATA"))
        places.append(Path(setting))
    places.append(cache_folder() / name)
    for place in places:
        found = _inside(place, wanted, holds)
        if found:
            return found
    raise FileNotFoundError(_nowhere(wanted, places))


def _inside(place: Path, wanted: Source, holds: tuple[str, ...]) -> Path | None:
    """The set's folder at a place: a folder of either name, or the place itself."""
    for folder in (place / wanted.folder, place / wanted.name, place):
        if any((folder / inner).exists() for inner in holds):
            return folder
    return None


def _not_there(wanted: Source, place: Path, what: str) -> str:
    state = "holds no" if place.is_dir() else "is no folder, so it holds no"
    otherwise = (
        f"leave it out and download: memnets data get {wanted.name}"
        if wanted.archives
        else "name the folder with its files"
    )
    return (
        f"{place}: {what} {state} {wanted.folder} ({wanted.name}). "
        f"Expected that folder, or one that contains it. Correct {what}, or {otherwise}"
    )


def _nowhere(wanted: Source, places: list[Path]) -> str:
    looked = (
        f"{wanted.folder} ({wanted.name}): the data set was not found. "
        f"Looked in: {', '.join(map(str, places))}. "
    )
    if not wanted.archives:
        origin = f"It comes from {wanted.origin}. " if wanted.origin else ""
        return (
            f"{looked}{origin}It is not downloaded ({wanted.licence}): point at a copy, by the "
            f"data path option or by MEMNETS_DATA in the environment."
        )
    first = wanted.archives[0]
    digest = f"sha256 {first.sha256}" if first.sha256 else "its files are checked"
    return (
        f"{looked}Download it: memnets data get {wanted.name} "
        f"(from {first.address}, {digest}). "
        f"Or point at a copy, by the data path option or by MEMNETS_DATA in the environment."
    )
