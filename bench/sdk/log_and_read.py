"""Logs a file of records with the real SDK and reads them back. Prints the rates as JSON.

python log_and_read.py RECORDS.jsonl DATASET_ID BATCH

The ceiling is the SDK's rate when every server response is instant. It is measured by logging the same records again with the
responses that were recorded the first time.
"""

import json
import sys
import time

import argilla as rg
import httpx


class Recorder(httpx.BaseTransport):
    """Records the responses to bulk upserts, or replays them instead of sending requests."""

    def __init__(self, inner: httpx.BaseTransport) -> None:
        self.inner, self.answers, self.playing = inner, [], None

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if not request.url.path.endswith("/records/bulk"):
            return self.inner.handle_request(request)
        if self.playing is not None:
            return httpx.Response(200, headers={"content-type": "application/json"}, content=next(self.playing), request=request)
        answer = self.inner.handle_request(request)
        self.answers.append(answer.read())
        return httpx.Response(answer.status_code, headers={"content-type": "application/json"}, content=self.answers[-1], request=request)


def records_of(path: str) -> list:
    records = []
    for line in open(path, encoding="utf-8"):
        row = json.loads(line)
        records.append(
            rg.Record(
                id=row["external_id"],
                fields=row["fields"],
                metadata=row["metadata"],
                vectors=row["vectors"],
                suggestions=[rg.Suggestion(one["question"], one["value"], score=one["score"], agent=one["agent"]) for one in row["suggestions"]],
            )
        )
    return records


def seconds(work) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main() -> None:
    path, dataset_id, batch = sys.argv[1], sys.argv[2], int(sys.argv[3])
    client = rg.Argilla()
    dataset = client.datasets(id=dataset_id).get()
    http = client.api.http_client
    recorder = Recorder(http._transport)
    http._transport = recorder

    count = len(records_of(path))
    first = records_of(path)
    log = seconds(lambda: dataset.records.log(first, batch_size=batch))
    again = records_of(path)
    recorder.playing = iter(recorder.answers)
    ceiling = seconds(lambda: dataset.records.log(again, batch_size=batch))
    recorder.playing = None
    read = []
    reading = seconds(lambda: read.extend(dataset.records(batch_size=500, with_vectors=True)))
    assert len(read) == count, (len(read), count)
    print(json.dumps({"records": count, "log": count / log, "ceiling": count / ceiling, "read": count / reading}))


if __name__ == "__main__":
    main()
