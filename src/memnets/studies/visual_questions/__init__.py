"""Questions about pictures: which regions are read for an answer, hop by hop."""
