import type { ForeignFormat } from '@postil/contract/files/foreign-formats.ts'
import type { SourceRow } from '../inspect/layout.ts'
import { chatgpt } from './chatgpt.ts'
import { alpaca, openai, preference, sharegpt } from './chats.ts'
import { completions, kto } from './completions.ts'
import type { ForeignReader } from './define.ts'
import { labelStudio } from './label-studio.ts'
import { labelStudioMin } from './label-studio-min.ts'
import { langfuse } from './langfuse.ts'
import { doccano, prodigy, spacy } from './marked-texts.ts'
import { phoenix } from './phoenix.ts'
import { tokenTags } from './token-tags.ts'
import { langfuseTraces, messageTraces, otlp, phoenixTraces } from './traces.ts'

/** All formats of other programs. If several recognize a file, the first one reads it. */
const readers: readonly ForeignReader[] = [
  labelStudio,
  labelStudioMin,
  prodigy,
  doccano,
  spacy,
  tokenTags,
  sharegpt,
  chatgpt,
  completions,
  kto,
  preference,
  openai,
  alpaca,
  otlp,
  langfuseTraces,
  phoenixTraces,
  messageTraces,
  langfuse,
  phoenix,
]

const byFormat = new Map(readers.map((reader) => [reader.format, reader]))

export const readerOf = (format: ForeignFormat): ForeignReader => {
  const reader = byFormat.get(format)
  if (reader === undefined) throw new Error(`no reader for ${format}`)
  return reader
}

/** Number of rows at the beginning of a file that are used to recognize the file's format. */
const DECISIVE = 100

/** The format of the first rows of a file, or null. */
export const recognize = (rows: readonly SourceRow[]): ForeignFormat | null => {
  const values = rows.slice(0, DECISIVE).flatMap((row) => ('values' in row ? [row.values] : []))
  return (values.length > 0 && readers.find(({ recognizes }) => recognizes(values))?.format) || null
}
