"""The tables of simple question answering."""

from memnets.studies.simple_qa.mini_table import simple_qa_mini
from memnets.studies.simple_qa.transfer import simple_qa_transfer

TABLES = {
    "simple-qa-mini": simple_qa_mini,
    "simple-qa-transfer": simple_qa_transfer,
}
