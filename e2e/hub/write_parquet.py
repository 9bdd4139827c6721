"""Writes Parquet files with the Hub's own library and with pyarrow. Prints the types of the columns.
"""

import datetime
import json
import sys

import pyarrow.parquet as pq
from datasets import ClassLabel, Dataset, Features, Image, Sequence, Value
from PIL import Image as Picture

plain, packed = sys.argv[1:3]
features = Features(
    {
        "text": Value("string"),
        "label": ClassLabel(names=["bad", "good"]),
        "tags": Sequence(ClassLabel(names=["x", "y"])),
        "picture": Image(),
        "talk": [{"role": Value("string"), "content": Value("string")}],
        "parts": Sequence({"name": Value("string")}),
        "day": Value("date32"),
        "share": Value("float32"),
    }
)
count = 250
rows = {
    "text": [f"row {i}" for i in range(count)],
    "label": [i % 3 - 1 for i in range(count)],
    "tags": [[0, 1] if i % 2 else [] for i in range(count)],
    "picture": [Picture.new("RGB", (2, 2), (255, 0, 0))] * count,
    "talk": [[{"role": "user", "content": "hi"}]] * count,
    "parts": [[{"name": "one"}, {"name": "two"}]] * count,
    "day": [datetime.date(2024, 1, 2)] * count,
    "share": [0.5] * count,
}
Dataset.from_dict(rows, features=features).to_parquet(plain)
pq.write_table(
    pq.read_table(plain), packed, compression="zstd", row_group_size=100, write_page_index=True, data_page_version="2.0"
)
print(json.dumps(features.to_dict()))
