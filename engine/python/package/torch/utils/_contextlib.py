"""Context managers that are decorators too."""
import functools
import inspect


def context_decorator(ctx, func):
    """`func` run inside a context made anew for each call; a generator runs each of its steps inside one."""
    factory = ctx if callable(ctx) and not hasattr(ctx, "__enter__") else lambda: ctx
    if inspect.isclass(func):
        raise RuntimeError("Cannot decorate classes; it is ambiguous whether or not only the constructor or all methods should "
                           "have the context manager applied; additionally, decorating a class at definition-site will prevent "
                           "use of the identifier as a conventional type. To specify which methods to decorate, decorate each of "
                           "them individually.")
    if inspect.isgeneratorfunction(func):
        return _wrap_generator(factory, func)

    @functools.wraps(func)
    def decorate_context(*args, **kwargs):
        with factory():
            return func(*args, **kwargs)

    return decorate_context


def _wrap_generator(factory, func):
    @functools.wraps(func)
    def generator_context(*args, **kwargs):
        generator = func(*args, **kwargs)
        try:
            with factory():
                response = generator.send(None)
            while True:
                try:
                    request = yield response
                except GeneratorExit:
                    with factory():
                        generator.close()
                    raise
                except BaseException as error:
                    with factory():
                        response = generator.throw(error)
                else:
                    with factory():
                        response = generator.send(request)
        except StopIteration as stop:
            return stop.value

    return generator_context


class _DecoratorContextManager:
    """Lets a context manager decorate a function."""

    def __call__(self, orig_func):
        return context_decorator(self.clone, orig_func)

    def __enter__(self):
        raise NotImplementedError

    def __exit__(self, exc_type, exc_value, traceback):
        raise NotImplementedError

    def clone(self):
        return self.__class__()


class _NoParamDecoratorContextManager(_DecoratorContextManager):
    """May decorate without being called: @torch.no_grad"""

    def __new__(cls, orig_func=None):
        if orig_func is None:
            return super().__new__(cls)
        return cls()(orig_func)
