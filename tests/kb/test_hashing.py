"""Word and cluster hashing: what k-means finds, and that buckets lead where they should."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memnets.kb import Clusters, Index, coverage, kmeans
from memnets.kb.index import hashing


def test_kmeans_finds_clusters_that_lie_apart():
    rng = np.random.default_rng(0)
    corners = np.array([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]])
    truth = np.arange(101) % 3
    found = kmeans(corners[truth] + 0.1 * rng.standard_normal((101, 2)), 3, seed=1)
    assert len({*zip(truth.tolist(), found.owners.tolist(), strict=True)}) == 3
    assert np.allclose(found.centres[found.owners[:3]], corners, atol=0.1)


def test_kmeans_by_hand():
    """Two rounds on a line: 0 1 2 | 10 has centres 1 and 10, wherever it starts."""
    for seed in range(7):
        found = kmeans(np.array([[0.0], [1.0], [2.0], [10.0]]), 2, seed)
        assert sorted(found.centres[:, 0].tolist()) == [1.0, 10.0]
        assert found.owners[0] == found.owners[1] == found.owners[2] != found.owners[3]


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 19), st.integers(1, 5), st.integers(0, 3), st.data())
def test_every_vector_ends_with_its_nearest_centre(vectors, dim, seed, data):
    clusters = data.draw(st.integers(1, vectors))
    # Small whole numbers: many vectors coincide, so that clusters come out empty.
    points = np.random.default_rng(seed).integers(0, 3, (vectors, dim)).astype(np.float64)
    found = kmeans(points, clusters, seed)
    distances = ((points[:, None] - found.centres) ** 2).sum(-1)
    own = distances[np.arange(vectors), found.owners]
    assert np.allclose(own, distances.min(1))
    assert np.isfinite(found.centres).all()


def test_a_cluster_that_lost_its_vectors_takes_the_farthest():
    points = np.array([[0.0]] * 11 + [[1.0], [50.0]])
    for seed in range(11):  # most draw two equal centres at first
        assert len(set(kmeans(points, 3, seed).owners.tolist())) == 3


def test_the_farthest_is_told_by_its_distance_whatever_its_length():
    """(9, 0) is long and has a centre of its own; (0, 3) is the one that lies far from any."""
    vectors, centres = np.array([[9.0, 0.0], [0.0, 3.0]]), np.array([[9.0, 1.0], [0.0, 0.0]])
    owners, distances = hashing._nearest(vectors, centres)
    assert owners.tolist() == [0, 1]
    assert distances.tolist() == [1.0, 9.0]


def test_distances_in_parts_are_the_same(monkeypatch):
    points = np.random.default_rng(0).standard_normal((37, 3))
    whole = kmeans(points, 5)
    monkeypatch.setattr(hashing, "AT_ONCE", 11)
    parts = kmeans(points, 5)
    assert np.array_equal(whole.owners, parts.owners)
    assert np.allclose(whole.centres, parts.centres)


def test_the_first_seed_and_twenty_rounds_are_taken_unless_told_otherwise():
    points = np.random.default_rng(1).standard_normal((997, 2))
    owners = kmeans(points, 31).owners.tolist()
    assert owners == kmeans(points, 31, seed=0, rounds=20).owners.tolist()
    for more in ({"rounds": 19}, {"rounds": 21}, {"seed": 1}):
        assert owners != kmeans(points, 31, **more).owners.tolist()


def test_it_ends_when_no_vector_changes_its_cluster():
    points = np.random.default_rng(0).standard_normal((37, 3))
    ended = kmeans(points, 5, rounds=50)
    assert np.array_equal(ended.centres, kmeans(points, 5, rounds=51).centres)
    assert not np.array_equal(ended.centres, kmeans(points, 5, rounds=1).centres)


@pytest.mark.parametrize("clusters", [0, 4])
def test_as_many_clusters_as_vectors_at_most(clusters):
    with pytest.raises(ValueError, match=f"kmeans: {clusters} clusters of 3 vectors; expected 1 t"):
        kmeans(np.zeros((3, 2)), clusters)


@pytest.fixture
def clusters():
    return Clusters({"car": 0, "automobile": 0, "red": 1, "blue": 1, "the": 2})


def test_a_sentence_goes_into_the_buckets_of_its_words(clusters):
    assert clusters.of(["the", "red", "automobile", "the", "unknown", "blue"]) == ["2", "1", "0"]
    index = Index()
    statements = ["the car", "red", "blue automobile", "unknown"]
    index.add(clusters.of(text.split()) for text in statements)
    # Found by a word that the statement does not hold.
    assert index.candidates(clusters.of(["automobile"])).tolist() == [0, 2]
    assert index.candidates(clusters.of(["red", "the"])).tolist() == [0, 1, 2]
    assert index.candidates(clusters.of(["unknown"])).tolist() == []


def test_clusters_are_kept(clusters, tmp_path):
    clusters.save(tmp_path / "clusters.json")
    again = Clusters.open(tmp_path / "clusters.json")
    assert again.of(["blue", "car", "no"]) == ["1", "0"]


def test_a_cluster_that_is_no_number_is_refused(tmp_path):
    (tmp_path / "clusters.json").write_text('{"clusters": {"bus": 1, "car": "x", "van": true}}')
    with pytest.raises(ValueError, match=r"clusters\.json: the cluster of 'car' is 'x'; expected"):
        Clusters.open(tmp_path / "clusters.json")


def test_coverage_counts_supports_and_candidates():
    found = [np.array([1, 5, 7], np.int32), np.array([], np.int32)]
    assert coverage(found, [[5, 6], [2]]) == (1 / 3, 1.5)
    assert coverage(found, [[7], []]) == (1.0, 1.5)


@pytest.mark.parametrize("supports", [[[1]], [[], []]])
def test_coverage_needs_the_supports_of_the_same_questions(supports):
    found = [np.array([1], np.int32)] * 2
    with pytest.raises(ValueError, match=f"candidates of 2 questions, supports of {len(supports)}"):
        coverage(found, supports)
