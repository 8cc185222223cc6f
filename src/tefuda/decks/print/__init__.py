"""A deck on paper: sheets of cards to cut out, their backs, the rules on one page, a score sheet, a box."""
