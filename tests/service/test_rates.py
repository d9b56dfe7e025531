"""Each client has its own bucket of tokens."""

from askagain.service.rates import Rates


def test_a_burst_is_let_through_and_then_the_rate_holds() -> None:
    rates = Rates(rate=2.0, burst=3)
    assert [rates.wait_of("anna", now=0.0) for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]
    assert rates.wait_of("anna", now=0.5) == 0.0
    assert rates.wait_of("anna", now=0.5) == 0.5


def test_a_refused_request_costs_nothing() -> None:
    rates = Rates(rate=1.0, burst=1)
    rates.wait_of("anna", now=0.0)
    for _ in range(100):
        rates.wait_of("anna", now=0.5)
    assert rates.wait_of("anna", now=1.0) == 0.0


def test_clients_do_not_share_a_bucket() -> None:
    rates = Rates(rate=1.0, burst=1)
    assert rates.wait_of("anna", now=0.0) == rates.wait_of("ben", now=0.0) == 0.0


def test_a_bucket_is_never_fuller_than_the_burst() -> None:
    rates = Rates(rate=1.0, burst=2)
    rates.wait_of("anna", now=0.0)
    assert [rates.wait_of("anna", now=1000.0) for _ in range(3)] == [0.0, 0.0, 1.0]


def test_a_rate_of_zero_is_no_limit() -> None:
    rates = Rates(rate=0.0, burst=1)
    assert not any(rates.wait_of("anna", now=0.0) for _ in range(1000))


def test_the_buckets_of_many_clients_do_not_fill_the_memory() -> None:
    rates = Rates(rate=1.0, burst=1)
    for number in range(25_000):
        rates.wait_of(f"client {number}", now=0.0)
    assert len(rates._buckets) == 10_000
