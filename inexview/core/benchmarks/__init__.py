"""Files of today in which texts, questions and passages stand together: benchmarks, and annotation tools."""
