"""The OpenAPI document as it is committed, read once a process."""

import schemathesis
from schemathesis.core.result import Ok

from config.processes import CHECKOUT

SCHEMA = schemathesis.openapi.from_path(CHECKOUT / "docs" / "openapi.yaml")
DOCUMENT = SCHEMA.raw_schema
OPERATIONS = {found.ok().label: found.ok() for found in SCHEMA.get_all_operations() if isinstance(found, Ok)}
