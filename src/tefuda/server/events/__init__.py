"""What one log means. Pure: no clock, no chance, no input or output.

``fold`` makes a table of events; ``commands`` make events of what people ask for; ``showing`` says what each may see.
"""
