"""From a document to the text that Qt shows, and where its characters are on the screen."""
