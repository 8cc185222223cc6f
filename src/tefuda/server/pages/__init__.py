"""Pages for people. All but the table itself work without JavaScript; forms give the same commands as the API."""
