"""Charts: minimal marks without a frame, readable without colour, and saved as files.

Measured with 20 curves on 1800 × 1040 pixels: 26 ms of processor time here, 106 with matplotlib, which takes
1.1 s to import and 110 MB. pyqtgraph draws in 6 ms, but writes no PDF and supports neither keys nor screen
readers.
"""
