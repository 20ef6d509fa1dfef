"""How devices are reached: their declarations, one registry, and the two modules that import the packages of GPUs."""
