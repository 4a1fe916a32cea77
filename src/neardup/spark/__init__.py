"""The engine for Apache Spark: the same plans on a cluster."""
