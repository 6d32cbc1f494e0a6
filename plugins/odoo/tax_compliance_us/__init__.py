from . import provider
