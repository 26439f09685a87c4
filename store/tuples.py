"""`NamedTuple` as typing's, for what hot commands load (docs/benchmarks.md).

Loading `typing` takes 5 ms, for it brings `re` and `enum`, and each class of its `NamedTuple` another tenth
of a millisecond, in which source is put together and compiled. This one does with what is loaded anyway.
Types are checked as if it were typing's, and values behave as its values do.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING or sys.version_info >= (3, 14):  # there a class does not tell its fields as it is made
    from typing import NamedTuple as NamedTuple
else:
    try:
        from _operator import itemgetter  # `operator` takes longer to load than this module
    except ImportError:
        from operator import itemgetter

    class _Kind(type):
        """Makes the class: a tuple's, with a property for each annotated name."""

        def __new__(cls, name, bases, names):
            if bases and bases[0]._fields:
                return super().__new__(cls, name, bases, names)  # a class below such a class has its fields
            fields = tuple(names.get("__annotations__", ()))
            told = {field: names.pop(field) for field in fields if field in names}
            names |= {field: property(itemgetter(at)) for at, field in enumerate(fields)}
            names |= {"_fields": fields, "__match_args__": fields, "_field_defaults": told, "__slots__": ()}
            return super().__new__(cls, name, bases or (tuple,), names)

    class NamedTuple(metaclass=_Kind):
        """A tuple whose values have names; fields with a value are optional."""

        def __new__(cls, *values, **named):
            fields = cls._fields
            if named or len(values) != len(fields):
                values = cls._filled(values, named)
            return tuple.__new__(cls, values)

        @classmethod
        def _filled(cls, values, named):
            fields = cls._fields
            open_, told = fields[len(values) :], {**cls._field_defaults, **named}
            whole = (*values, *[told[field] for field in open_ if field in told])
            if len(whole) != len(fields) or not named.keys() <= {*open_}:
                raise TypeError(f"{cls.__name__} takes ({', '.join(fields)}), not {values!r} and {named!r}")
            return whole

        @classmethod
        def _make(cls, values):
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"{cls.__name__} takes {len(cls._fields)} values, not {len(made)}")
            return made

        def _replace(self, **changed):
            made = self._make(map(changed.pop, self._fields, self))
            if changed:
                raise ValueError(f"{type(self).__name__} has no {', '.join(changed)}")
            return made

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            told = ", ".join(f"{field}={value!r}" for field, value in self._asdict().items())
            return f"{type(self).__name__}({told})"

        def __getnewargs__(self):
            return tuple(self)
