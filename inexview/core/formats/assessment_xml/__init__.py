"""Assessment XML of INEX 2005 to 2007."""
