import type { FileFormat } from '@postil/contract/files/files.ts'
import type { FormatWriter } from '../context.ts'
import { conll } from './conll.ts'
import { csv } from './csv.ts'
import { datasets } from './datasets.ts'
import { doccano } from './doccano.ts'
import { jsonl } from './jsonl.ts'
import { labelStudio } from './label-studio.ts'
import { openai } from './openai.ts'
import { parquet } from './parquet.ts'
import { dpo, kto } from './preferences.ts'
import { prodigy } from './prodigy.ts'
import { spacy } from './spacy.ts'

/** Typed so that the code doesn't compile if a format has no writer. */
export const formats: { readonly [F in FileFormat]: FormatWriter } = {
  jsonl,
  csv,
  parquet,
  datasets,
  label_studio: labelStudio,
  doccano,
  prodigy,
  conll,
  spacy,
  openai,
  dpo,
  kto,
}
