"""Pages for people. They work without JavaScript, all but the table itself; orders go the way those of the API go."""
