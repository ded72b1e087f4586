"""Pictures of a trained DMN."""

import json
from dataclasses import replace

import pytest
import torch

pytest.importorskip("matplotlib")

import memnets
from draw_dmn import QUESTION, STORY, apart, by_distance, main, reads
from memnets import results

SMALL = {"model.hidden": 8, "training.batch": 50, "training.epochs": 1}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "dmn"
    memnets.train("dmn-plus/babi-generated", SMALL, out=folder, show=False)
    return folder


def test_pictures_and_figures_are_written(folder, tmp_path):
    """The row of soft gates is the accuracy that the run itself measured."""
    main([str(folder), "--results", str(tmp_path), "--pictures", str(tmp_path)])
    assert {"dmn-football.png", "dmn-gates.png"} <= {one.name for one in tmp_path.iterdir()}
    rows = {row.row: row for row in results.read(tmp_path / "dmn-gates.json").rows}
    right = json.loads((folder / "result.json").read_text())["metrics"]["test"]["accuracy"]
    assert rows["soft gates"].measured == pytest.approx(100 * right)
    assert set(rows) == {
        *("0 to 0.1 nats", "0.1 to 0.3 nats", "0.3 to 1 nats", "1 to 5 nats"),
        *("soft gates", "hard gates"),
    }


def test_a_read_of_one_slot_has_no_distance(folder):
    answerer = memnets.load(folder)
    asked = answerer.vocabulary.number(answerer.stories.test[:3])
    found = reads(answerer.model, asked)
    assert found.entropy.shape == (3, asked.number)
    assert (found.distance > 0).all()
    for gates in answerer.model.memory.gate.parameters():
        torch.nn.init.zeros_(gates)  # of all slots alike, the first is read most
    story = answerer.model.remember(asked.sentences, asked.story, asked.length)
    alike, _ = answerer.model.episodes(story, asked.question)
    entropy, _ = next(apart(answerer.model, alike.hops, alike.remembered))
    torch.testing.assert_close(entropy, asked.length.float().log())
    one = [hop._replace(weights=(hop.weights == 1).float()) for hop in alike.hops]
    alone = asked.length == 1
    for entropy, distance in apart(answerer.model, one, alike.remembered):
        assert not entropy[alone].any()
        assert not distance[alone].any()


def test_the_story_that_is_drawn_can_be_read(folder):
    answer = memnets.load(folder).ask(STORY, QUESTION)
    assert len(answer.steps[0].supports) == len(STORY)
    assert "football" in answer.unknown_words  # of task 1


def test_a_run_of_another_model_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="neither the folder of a run"):
        main([str(tmp_path), "--results", str(tmp_path)])


def test_a_curve_of_every_row_is_drawn_by_distance():
    curves = (
        results.Series(name="fusion", x=(2.0, 4.0), y=(98.0, 90.0), spread=(1.0, 2.0)),
        results.Series(name="no fusion", x=(2.0, 4.0), y=(40.0, 30.0)),
    )
    table = replace(results.read(results.results_folder() / "dmn-gates.json"), series=curves)
    (axes,) = by_distance(table).axes
    assert [line.get_label() for line in axes.lines] == ["fusion", "no fusion"]
    assert [line.get_ydata().tolist() for line in axes.lines] == [[98.0, 90.0], [40.0, 30.0]]
    (one, other) = (part.get_paths()[0].vertices[:, 1] for part in axes.collections)
    assert (one.min(), one.max()) == (88.0, 99.0)
    assert (other.min(), other.max()) == (30.0, 40.0)
