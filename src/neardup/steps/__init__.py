"""Steps that several methods' plans share: names, copies, counters, postings, clusters."""
