"""drf-spectacular's view inspector, corrected."""

import re
from typing import Any

from drf_spectacular.openapi import AutoSchema

from core.http.bodies import Body
from core.http.fields import Strict
from core.http.views import ListView


class Schema(AutoSchema):
    """Makes the summary and the description of an operation from the docstring of its view's method."""

    def get_summary(self) -> str:
        return self._sentences()[0].rstrip(".")

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular has it
        return self._sentences()[1]

    def _get_request_body(self, direction: Any = "request") -> Any:
        """The body. The call that removes an organiser has one, too, which drf-spectacular leaves out for DELETE."""
        method = self.method
        try:
            self.method = "POST" if method == "DELETE" else method
            return super()._get_request_body(direction)  # type: ignore[no-untyped-call]
        finally:
            self.method = method

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> Any:
        """The schema of a serializer. Serializers that refuse unknown keys say so."""
        schema = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        if direction == "request" and isinstance(serializer, Strict):
            schema["additionalProperties"] = False
        return schema

    def _sentences(self) -> tuple[str, str]:
        first, *others = re.split(r"(?<=\.)\s+", super().get_description(), maxsplit=1)
        return first, "".join(others)

    def _is_list_view(self, serializer: Any = None) -> bool:
        """Return whether the 200 response is a list. `extend_schema` documents errors beside it."""
        if serializer is None:
            serializer = self.get_response_serializers()
        if isinstance(serializer, dict):
            serializer = serializer.get(200)
        if isinstance(serializer, type) and issubclass(serializer, Body):
            return isinstance(self.view, ListView) and self.method == "GET"
        return bool(super()._is_list_view(serializer))
