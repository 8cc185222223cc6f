"""Where the laboratory plays: jobs cut in pieces, and the processes and clusters that play them."""
