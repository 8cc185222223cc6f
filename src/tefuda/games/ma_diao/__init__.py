"""Ma Diao 馬吊, "hanging the horse": a late-Ming trick game of four against each other, with a dealer to settle with."""
