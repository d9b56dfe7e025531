"""The service keeps what its OpenAPI document promises, whatever is sent to it.

Some hundred requests here; `ASKAGAIN_SCHEMA_EXAMPLES=300` sends more than 10,000.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, assume, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from running_service import RunningService, running_service

EXAMPLES = int(os.environ.get("ASKAGAIN_SCHEMA_EXAMPLES", "4"))

# Not among them: that whatever fits the schema is accepted. No schema tells which cursors, systems and states
# of a question exist.
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
    ignored_auth,
]
# 413 is one, too: what breaks the limits of a field can be too large as a whole.
REFUSALS = ["400", "401", "403", "404", "405", "406", "409", "412", "413", "415", "422", "428"]


@schemathesis.serializer("application/x-ndjson")
def lines_as_they_are(context: object, value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


@pytest.fixture(scope="module")
def unlimited(archive_path: Path) -> Iterator[RunningService]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASKAGAIN_SERVE_RATE", "0")
        with running_service(archive_path) as running:
            yield running


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_every_answer_is_one_that_is_documented(unlimited: RunningService, mode: GenerationMode) -> None:
    schema = schemathesis.openapi.from_url(f"{unlimited.url}/v1/openapi.json")
    schema.config.checks.negative_data_rejection.expected_statuses = REFUSALS
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 18
    for operation in operations:
        if mode is GenerationMode.NEGATIVE and operation.path == "/v1/questions/bulk":
            continue  # any text is some lines: bad ones are named in the answer
        with suppress(Unsatisfiable):  # nothing can be wrong where nothing is sent
            send_some(operation.as_strategy(generation_mode=mode), unlimited)


def has_known_parameters(case: Case) -> bool:
    """Others are no fault: as usual on the web, they are ignored."""
    return set(case.query or {}) <= {parameter.name for parameter in case.operation.query}


def send_some(cases: SearchStrategy[Case], service: RunningService) -> None:
    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=cases)
    def sent(case: Case) -> None:
        assume(has_known_parameters(case))
        key = service.moderator if case.path in ("/v1/marks", "/v1/feedback") else service.writer
        case.call_and_validate(headers={"Authorization": f"Bearer {key}"}, checks=CHECKS)

    sent()
