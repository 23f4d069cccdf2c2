"""Holds lines of the protocol against its schema.

    validate.py SCHEMA       reads {"in": GROUP, "line": OBJECT} a line, GROUP such as request

Prints what is wrong, a line each, with the number of the line from 0: lines that the schema does not allow, keys in them that it does not
name, and keys that it names and no line has. Unknown keys are allowed on the wire; here they are not,
or a key could come without the schema hearing of it.
"""

import copy
import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit("python3-jsonschema is missing: contrib/prepare test installs it")

validator = jsonschema.Draft202012Validator


def members(schema):
    """The schemas in a schema, each with whether it is a part of the same object."""
    for key in ("oneOf", "anyOf", "allOf"):
        for part in schema.get(key, []):
            yield part, key == "allOf"
    for part in schema.get("properties", {}).values():
        yield part, False
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield schema[key], False


def narrow(schema):
    """Lets objects have no keys but those that are named."""
    for part, is_same_object in list(members(schema)):
        if not is_same_object and ("$ref" in part or "properties" in part):
            part.setdefault("unevaluatedProperties", False)
        narrow(part)


with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
validator.check_schema(schema)
definitions = schema["$defs"]
strict = copy.deepcopy(schema)
for name in definitions:
    narrow(strict["$defs"][name])

names = {}
for definition, body in strict["$defs"].items():
    for key in body.get("properties", {}):
        names[id(body["properties"]), key] = f"{definition}.{key}"
unseen = dict.fromkeys(names.values())


def properties(validator, wanted, instance, schema):
    """As the library does it, but keeps in mind which were there."""
    if isinstance(instance, dict):
        for key in wanted:
            if key in instance:
                unseen.pop(names.get((id(wanted), key)), None)
    yield from jsonschema.Draft202012Validator.VALIDATORS["properties"](
        validator, wanted, instance, schema
    )


recording = jsonschema.validators.extend(validator, {"properties": properties})


def types(name):
    kind = definitions[name]["properties"]["type"]
    return kind.get("enum", [kind.get("const")])


for number, text in enumerate(sys.stdin):
    item = json.loads(text)
    line, group = item["line"], item["in"]
    whole = {"$ref": f"#/$defs/{group}", "$defs": definitions}
    for error in validator(whole).iter_errors(line):
        best = jsonschema.exceptions.best_match([error])
        print(f"{number} {group} {best.json_path}: {best.message} in {json.dumps(line)}")
    group_members = [part["$ref"].split("/")[-1] for part in definitions[group]["oneOf"]]
    fits = [name for name in group_members if line.get("type") in types(name)]
    for name in fits:
        one = {"$ref": f"#/$defs/{name}", "unevaluatedProperties": False, "$defs": strict["$defs"]}
        for error in recording(one).iter_errors(line):
            print(f"{number} {name} {error.json_path}: {error.message}")

if "--part" not in sys.argv:
    for key in unseen:
        print(f"no line has {key}")
