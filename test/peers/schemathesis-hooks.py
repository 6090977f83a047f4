"""Gives valid requests what Schemathesis cannot guess: ids of existing records, tokens, and unused idempotency keys."""

import json
import os
import uuid

import schemathesis

with open(os.environ["TRIAL_RECORDS"], encoding="utf-8") as file:
    records = json.load(file)


@schemathesis.serializer("audio/webm", "audio/ogg", "audio/mp4", "audio/mpeg", "audio/wav", "audio/x-wav")
def recording(context, value):
    return value if isinstance(value, bytes) else json.dumps(value).encode()


@schemathesis.hook
def before_call(context, case, kwargs):
    known = records[case.operation.definition.raw["operationId"]]
    # Without a key, a case checks that one is needed.
    if "token" in known and case.meta is not None:
        case.headers["Authorization"] = f"Bearer {known['token']}"
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    for part, values in ((case.path_parameters, known["path"]), (case.body, known["body"])):
        if isinstance(part, dict):
            part.update({name: value for name, value in values.items() if name in part})
    if "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
