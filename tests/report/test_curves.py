"""Learning curves that can be read, whatever the first updates did."""

import re

import pytest

from memnets.report import plots
from memnets.report.html import write_report
from memnets.report.logs import called, curve, is_wide
from memnets.report.svg import curves
from memnets.training.progress import MEDIAN


@pytest.fixture
def peaked(make_log):
    """A log whose first line has a mean that one update made."""
    log = make_log()
    log[0]["train"] = {"loss": 54935.4, MEDIAN: 1.5, "accuracy": 0.5}
    return log


def test_the_median_is_drawn_and_said(peaked, tmp_path):
    assert curve(peaked, "train", "loss")[1][:2] == [1.5, 1.0]
    assert called(peaked, "train", "loss") == "train (linear start: median)"
    assert called(peaked, "train", "accuracy") == "train"
    assert called(peaked, "valid", "loss") == "valid"
    page = write_report(tmp_path / "index.html", title="t", record={}, log=peaked).read_text()
    assert "train (linear start: median)</span>" in page
    figure = plots.learning_curves(peaked)
    assert figure.axes[0].lines[0].get_label() == "train (linear start: median)"
    assert figure.axes[0].get_yscale() == "linear"


def test_an_axis_is_logarithmic_where_only_that_can_be_read(make_log):
    log = make_log()
    log[0]["train"]["loss"] = 54935.4
    assert plots.learning_curves(log).axes[0].get_yscale() == "log"
    assert plots.learning_curves(log).axes[1].get_yscale() == "linear"  # accuracies reach 0
    drawn = curves(log, "loss", ["train"])
    labels = re.findall(r'text-anchor="end">([^<]*)</text>', drawn)
    assert labels == ["0.1", "1", "10", "100", "1000", "10000", "100000", "update"]
    heights = [float(y) for y in re.findall(r"[\d.]+,([\d.]+)", drawn)]
    assert heights == sorted(heights)  # falling: down the page
    assert heights[1] - heights[0] > 10 * (heights[2] - heights[1]) > 30


def test_values_are_wide_apart_or_not():
    assert is_wide([1.0, 301.0])
    assert not is_wide([1.0, 299.0])
    assert not is_wide([0.0, 301.0])
    assert not is_wide([])
