"""What the figures in results/ have to show for a claim of docs/translation.md to hold."""

import re

from memnets import results

ROWS = {
    row.row: row for row in results.read(results.results_folder() / "bench-translation.json").rows
}


def test_both_decoders_learn_faster_than_the_tutorial():
    """List 16: words a second beside the tutorial's, and BLEU of as long a training."""
    least = {"RNNsearch learns 128 pairs": 5, "Luong, general learns 128 pairs": 10}
    for row, ratio in least.items():
        assert ROWS[row].baseline_name.startswith("bentrevett notebook 3")
        assert ROWS[row].ratio_interval[0] > ratio, row
    ours, theirs = re.findall(
        r"([\d.]+) \([\d.]+ epochs\)", ROWS["RNNsearch learns 128 pairs"].note
    )
    assert float(ours) > float(theirs)


def test_a_beam_of_a_batch_is_faster_than_one_of_a_sentence():
    beam = ROWS["beam of 5, 16 sentences"]
    assert beam.ratio_interval[0] > 3
    assert beam.note == "the same translations"
