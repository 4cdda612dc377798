from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from core.about.models import About


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """Who runs this server, how to reach them, and what it keeps of whom."""
    row = About.objects.filter(pk=1).first() or About()
    return render(request, "about/about.html", {"viewer": request.user, "about": row})


urlpatterns = [path("about", about, name="about-page")]
