"""The URLs under `/api/v1/` outside any app: the index, the OpenAPI document and its page."""

from django.urls import path

from core.http import documents, index

urlpatterns = [
    path("", index.IndexView.as_view(), name="index"),
    path("schema", documents.SchemaView.as_view(), name="schema"),
    path("docs", documents.DocsView.as_view(), name="docs"),
]
