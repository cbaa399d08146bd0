"""Files with texts, questions and passages together: benchmarks, and annotation tools."""
