"""The networkx backend ``triadic``: what networkx calls when it is told to count with this package.

networkx finds it by two entry points, `info.get_info` and the module `dispatch`;
``docs/networkx.md`` says how to use it. Importing this package imports nothing else.
"""
