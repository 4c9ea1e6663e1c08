#!/usr/bin/env python3
"""Validates JSON documents against a JSON Schema, with the standard library only.

    validate_json.py SCHEMA DOCUMENT...

Knows the keywords that docs/roofline.schema.json uses, and refuses a schema with others, so that nothing is skipped
silently: type, properties, required, additionalProperties, items, enum, const, minimum, anyOf, $ref (into $defs).
Prints one line for each violation; exit 1 if there is any.
"""
import json
import sys

ANNOTATIONS = {"$schema", "$defs", "title", "description"}


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "integer": is_integer,
    "number": lambda v: is_integer(v) or isinstance(v, float),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
}


def same(a, b):
    return a == b and isinstance(a, bool) == isinstance(b, bool)


class Validator:
    def __init__(self, schema):
        self.root = schema

    def check(self, schema, value, where):
        """All violations of `schema` by `value`, as texts."""
        if schema is True:
            return []
        if schema is False:
            return [f"{where}: not allowed"]
        problems = []
        for keyword, argument in schema.items():
            if keyword in ANNOTATIONS:
                continue
            rule = getattr(self, "rule_" + keyword.lstrip("$"), None)
            if rule is None:
                raise SystemExit(f"validate_json.py: the schema uses '{keyword}', which this validator does not know")
            problems += rule(argument, value, where, schema)
        return problems

    def rule_ref(self, target, value, where, _):
        schema = self.root
        for part in target.lstrip("#/").split("/"):
            schema = schema[part]
        return self.check(schema, value, where)

    def rule_type(self, names, value, where, _):
        names = [names] if isinstance(names, str) else names
        if any(TYPES[name](value) for name in names):
            return []
        return [f"{where}: {json.dumps(value)[:60]} is no {' or '.join(names)}"]

    def rule_enum(self, values, value, where, _):
        return [] if any(same(v, value) for v in values) else [f"{where}: {json.dumps(value)} is none of {values}"]

    def rule_const(self, constant, value, where, _):
        return [] if same(constant, value) else [f"{where}: {json.dumps(value)} is not {json.dumps(constant)}"]

    def rule_minimum(self, least, value, where, _):
        return [f"{where}: {value} is below {least}"] if TYPES["number"](value) and value < least else []

    def rule_required(self, keys, value, where, _):
        if not isinstance(value, dict):
            return []
        return [f"{where}: '{key}' is missing" for key in keys if key not in value]

    def rule_properties(self, properties, value, where, _):
        if not isinstance(value, dict):
            return []
        return [p for key, schema in properties.items() if key in value
                for p in self.check(schema, value[key], f"{where}.{key}")]

    def rule_additionalProperties(self, schema, value, where, around):
        if not isinstance(value, dict):
            return []
        return [p for key in value if key not in around.get("properties", {})
                for p in self.check(schema, value[key], f"{where}.{key}")]

    def rule_items(self, schema, value, where, _):
        if not isinstance(value, list):
            return []
        return [p for i, item in enumerate(value) for p in self.check(schema, item, f"{where}[{i}]")]

    def rule_anyOf(self, schemas, value, where, _):
        results = [self.check(schema, value, where) for schema in schemas]
        return [] if any(not r for r in results) else min(results, key=len)


def refuse_constant(name):
    raise ValueError(f"{name} is no JSON number")


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8") as file:
        validator = Validator(json.load(file))
    failed = False
    for path in arguments[1:]:
        try:
            with open(path, encoding="utf-8") as file:
                problems = validator.check(validator.root, json.load(file, parse_constant=refuse_constant), "$")
        except (OSError, ValueError) as error:
            problems = [str(error)]
        for problem in problems:
            print(f"{path}: {problem}")
        failed |= bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
