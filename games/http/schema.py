"""drf-spectacular's view inspector, mended."""

from typing import Any

from drf_spectacular.openapi import AutoSchema


class Schema(AutoSchema):
    """Tells a list by its 200 response, where `extend_schema` documents errors beside it."""

    def _is_list_view(self, serializer: Any = None) -> bool:
        if serializer is None:
            serializer = self.get_response_serializers()
        if isinstance(serializer, dict):
            serializer = serializer.get(200)
        return bool(super()._is_list_view(serializer))
