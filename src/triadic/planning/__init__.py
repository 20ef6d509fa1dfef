"""What a count will take, before it is begun: bytes read, written and held, tasks, seconds.

``plan(file)`` looks at a part of the file, spread over it, works out from that what the graph is like, and goes through
what the engine would do with it: the same ranges, the same triples, the same model of costs.
"""
