import type { Migration } from '../migration.ts'

export const search: Migration = {
  name: '0002-search',
  statements: [],
  only: {
    sqlite: [
      // The tokenizer splits only at spaces.
      `CREATE VIRTUAL TABLE record_text USING fts5(c0, c1, c2, c3, c4, c5, c6, c7, content='', contentless_delete=1,
        tokenize="ascii tokenchars '!#$%&()*+,-./:;<=>?@[\\]^_\`{|}~'''")`,
    ],
    postgres: [
      `CREATE TABLE record_text (dataset_no int8 NOT NULL, seq int8 NOT NULL, block int4 NOT NULL, long boolean NOT NULL, tsv tsvector NOT NULL,
        PRIMARY KEY (dataset_no, seq, block))`,
      'CREATE INDEX record_text_words ON record_text USING gin (tsv) WHERE NOT long',
      'CREATE INDEX record_text_long_words ON record_text USING gin (tsv) WHERE long',
      'CREATE INDEX record_text_long ON record_text (dataset_no, seq) WHERE long',
    ],
  },
}
