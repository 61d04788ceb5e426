"""valid.py SCHEMA FILE: fails, and says where, if the JSON file doesn't fit the JSON schema."""

import json
import sys

import jsonschema

schema, instance = (json.load(open(name)) for name in sys.argv[1:3])
jsonschema.Draft7Validator.check_schema(schema)
errors = list(jsonschema.Draft7Validator(schema).iter_errors(instance))
for error in errors:
    print(f"{sys.argv[2]}: /{'/'.join(map(str, error.absolute_path))}: {error.message}")
sys.exit(1 if errors else 0)
