"""Reports of runs: what was found, pictures of it, and the pages that show them."""
