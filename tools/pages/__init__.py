"""Sphinx extensions that write the pages of the site which are generated."""
