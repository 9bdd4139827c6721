import { printer } from '@postil/server/platform/db/text/index-tokens.ts'
import { tokenize } from '@postil/server/platform/text/tokens.ts'

export type RecordTokens = { readonly seq: number; readonly texts: readonly string[]; readonly tokens: ReadonlySet<string> }

/**
 * The contents of the text index for records: the index tokens of each field, and the set of words. The benchmark computes them
 * before it starts measuring time.
 */
export const tokensOf = (datasetNo: number, rows: readonly { readonly seq: number; readonly fields: string }[]): RecordTokens[] =>
  rows.map(({ seq, fields }) => {
    const print = printer(datasetNo)
    const { name, description } = JSON.parse(fields) as { name: string; description: string }
    const words = [name, description].map(tokenize)
    return { seq, texts: words.map((all) => all.map(print).join(' ')), tokens: new Set(words.flat()) }
  })

export const documentCounts = (records: readonly RecordTokens[]): [string, number][] => {
  const counts = new Map<string, number>()
  for (const { tokens } of records) for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1)
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
}
