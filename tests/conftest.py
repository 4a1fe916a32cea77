"""Settings for all tests."""

from hypothesis import HealthCheck, settings

# no deadlines: kernels compile on first use, and machines are noisy
settings.register_profile(
    "neardup",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
    max_examples=50,
)
settings.load_profile("neardup")
