from django.urls import path

from judging.metrics.views import metrics_page

urlpatterns = [path("metrics", metrics_page, name="metrics")]
