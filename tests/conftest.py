"""Set up for every test: no network at litellm's import, no clock in Hypothesis, cassettes in cassettes/."""

from hypothesis import HealthCheck, settings

settings.register_profile("suite", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")
