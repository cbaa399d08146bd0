"""The one door for XML: parser and limits, encodings, document types, entities."""
