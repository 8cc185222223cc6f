"""Games for researchers: observations as planes, thousands of tables at once, and the interfaces that learners know."""
