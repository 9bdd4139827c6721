"""Reads downloads of one dataset with the libraries for which they are written. Reads JSON and prints JSON."""

import base64
import io
import json
import os
import sys
import tempfile
import warnings
import zipfile

import conllu
import datasets
import spacy
from seqeval.metrics import classification_report, f1_score
from spacy.tokens import DocBin
from spacy.training import Example


def lines(text):
    return [json.loads(line) for line in text.splitlines() if line]


def spacy_spans(text):
    """Loads each row as spaCy trains with it. Warnings about spans that match no tokens are errors."""
    nlp = spacy.blank("en")
    packed = DocBin()
    found = []
    for row in lines(text):
        annotations = {key: row[key] for key in ("entities", "spans") if key in row}
        # Spans within words need a tokenizer that splits them, which is up to the person who trains the model
        example = Example.from_dict(nlp.make_doc(row["text"]), annotations)
        packed.add(example.reference)
        found.append(
            {
                "entities": [[span.text, span.label_] for span in example.reference.ents],
                "spans": [[span.text, span.label_] for group in example.reference.spans.values() for span in group],
            }
        )
    assert len(list(DocBin().from_bytes(packed.to_bytes()).get_docs(nlp.vocab))) == len(found)
    return found


def conll_sentences(text):
    fields = ["form", "pos", "chunk", "tag"]
    parsed = conllu.parse(text.replace(" ", "\t"), fields=fields)
    sentences = [[(token["form"], token["tag"]) for token in sentence] for sentence in parsed]
    tags = [[tag for _, tag in sentence] for sentence in sentences]
    report = classification_report(tags, tags, output_dict=True, zero_division=0)
    support = {name: int(row["support"]) for name, row in report.items() if not name.endswith(" avg")}
    return {"sentences": sentences, "support": support, "f1": float(f1_score(tags, tags))}


def folder(content):
    with tempfile.TemporaryDirectory() as home:
        os.environ["HF_DATASETS_CACHE"] = home
        with zipfile.ZipFile(io.BytesIO(base64.b64decode(content))) as archive:
            assert archive.testzip() is None
            archive.extractall(f"{home}/folder")
        loaded = datasets.load_dataset(f"{home}/folder", split="train", cache_dir=f"{home}/cache")
        names = {
            name: feature.names for name, feature in loaded.features.items() if isinstance(feature, datasets.ClassLabel)
        }
        return {"rows": loaded.to_list(), "names": names, "features": {k: str(v) for k, v in loaded.features.items()}}


warnings.simplefilter("error")
datasets.disable_progress_bars()
warnings.filterwarnings("default", category=DeprecationWarning)
warnings.filterwarnings("default", category=ResourceWarning)
warnings.filterwarnings("default", category=FutureWarning)
given = json.load(sys.stdin)
print(
    json.dumps(
        {
            "spacy": [spacy_spans(text) for text in given["spacy"]],
            "conll": conll_sentences(given["conll"]),
            "datasets": folder(given["datasets"]),
        }
    )
)
