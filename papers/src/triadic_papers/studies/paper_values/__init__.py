"""Tables printed in the papers, copied as data, each with its location."""
