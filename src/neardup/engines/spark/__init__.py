"""The engine for clusters: Map by mapInArrow, Sql by Spark SQL."""
