import type { FileFormat } from '@postil/contract/files/files.ts'
import type { FormatWriter } from '../context.ts'
import { conll } from './conll.ts'
import { csv } from './csv.ts'
import { jsonl } from './jsonl.ts'
import { parquet } from './parquet.ts'
import { spacy } from './spacy.ts'

/** Typed so that the code doesn't compile if a format has no writer. */
export const formats: { readonly [F in FileFormat]: FormatWriter } = { jsonl, csv, parquet, conll, spacy }
