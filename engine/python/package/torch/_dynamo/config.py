"""Settings of Dynamo that programs read and set."""

recompile_limit = 8
cache_size_limit = 8
accumulated_recompile_limit = 256
automatic_dynamic_shapes = True
assume_static_by_default = True
specialize_int = False
suppress_errors = False
verbose = False
