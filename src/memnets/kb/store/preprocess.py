"""Make a large knowledge base ready: mediators collapsed, facts reversed and grouped.

Written once, over PySpark's DataFrame API, for two engines: DuckDB within this process, through
SQLFrame, and a Spark session of your own. Both give the same rows in the same order.

    session, functions = embedded()
    facts = session.createDataFrame(rows, schema=COLUMNS)
    grouped = preprocess(facts, functions, mediators=unnamed(facts, names))

With Spark, `functions` is `pyspark.sql.functions`.

Cite: bordes2015
"""

from typing import Any

from memnets.kb.store.layouts import REVERSED

COLUMNS = ["subject", "relation", "object"]
Frame = Any
"""A DataFrame of PySpark or of SQLFrame, whose columns are text."""
Functions = Any
"""The module of functions that goes with it."""


def preprocess(facts: Frame, functions: Functions, mediators: Frame | None = None) -> Frame:
    """Collapse mediators, reverse facts, and group the objects of a subject and a relation.

    Args:
        facts: columns subject, relation, object.
        functions: of the engine whose frame this is.
        mediators: a column entity: nodes that only join others; None for none.

    Returns:
        Columns subject, relation, objects (sorted, each once) and weight, 1 / k for k objects;
        rows sorted by subject and relation.
    """
    facts = facts.select(*COLUMNS).distinct()
    if mediators is not None:
        facts = collapse(facts, functions, mediators)
    return group(facts.unionAll(reverse(facts, functions)), functions)


def collapse(facts: Frame, functions: Functions, mediators: Frame) -> Frame:
    """Join the two facts on either side of a mediator: (s, r1, m), (m, r2, o) -> (s, r2, o).

    Deviations: what Bordes et al. leave open. A path back to its own beginning is dropped, and so
    are facts on the way from one mediator to another.

    Args:
        facts: columns subject, relation, object.
        functions: of the engine whose frame this is.
        mediators: a column entity.

    Returns:
        Columns subject, relation, object; each row once.
    """
    between = mediators.select(functions.col("entity").alias("mediator")).distinct()
    by_object = facts.withColumnRenamed("object", "mediator")
    by_subject = facts.withColumnRenamed("subject", "mediator")
    # Facts that lead to a mediator, and from one, with neither at their other end.
    to = _without(by_object.join(between, on="mediator"), between, "subject")
    of = _without(by_subject.join(between, on="mediator"), between, "object")
    joined = to.select("subject", "mediator").join(
        of.select("mediator", "relation", "object"), on="mediator"
    )
    joined = joined.where(functions.col("subject") != functions.col("object"))
    others = _without(_without(facts, between, "subject"), between, "object")
    return others.select(*COLUMNS).unionAll(joined.select(*COLUMNS)).distinct()


def reverse(facts: Frame, functions: Functions) -> Frame:
    """Turn (s, r, o) into (o, !r, s)."""
    return facts.select(
        functions.col("object").alias("subject"),
        functions.concat(functions.lit(REVERSED), functions.col("relation")).alias("relation"),
        functions.col("subject").alias("object"),
    )


def group(facts: Frame, functions: Functions) -> Frame:
    """Gather the objects of a subject and a relation, each weighing 1 / k; see `preprocess`."""
    objects = functions.sort_array(functions.collect_list("object"))
    return (
        facts.groupBy("subject", "relation")
        .agg(objects.alias("objects"), functions.count("object").alias("k"))
        .withColumn("weight", functions.lit(1.0) / functions.col("k"))
        .select("subject", "relation", "objects", "weight")
        .orderBy("subject", "relation")
    )


def unnamed(facts: Frame, names: Frame) -> Frame:
    """Return the mediators of Freebase: entities that have no name, between two facts.

    Args:
        facts: columns subject, relation, object.
        names: a column entity: those that have a name.

    Returns:
        A column entity.
    """
    objects = facts.select("object").withColumnRenamed("object", "entity").distinct()
    subjects = facts.select("subject").withColumnRenamed("subject", "entity").distinct()
    between = objects.join(subjects, on="entity")
    return between.join(names.select("entity").distinct(), on="entity", how="left_anti")


def embedded() -> tuple[Any, Functions]:
    """Return a session within this process, and its functions.

    Raises:
        ModuleNotFoundError: the extra is not installed.
    """
    try:
        from sqlframe.duckdb import DuckDBSession, functions
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{error.name} is not installed; preprocessing needs it. "
            f"Install memnets[kb], or pass a frame of Spark."
        ) from None
    return DuckDBSession(), functions


def _without(facts: Frame, between: Frame, column: str) -> Frame:
    """Leave out facts that have a mediator in a column."""
    wanted = between.withColumnRenamed("mediator", column)
    return facts.join(wanted, on=column, how="left_anti")
