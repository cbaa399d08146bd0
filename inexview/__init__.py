"""inexview: judge what is relevant in XML articles, and see why a retrieval system scores what it scores."""
