import { readFile } from 'node:fs/promises'
import { scaled } from '@postil/testkit/run-size.ts'
import { expect, test } from 'vitest'
import { randomFrom } from '#platform/random.ts'
import { openLayout } from './open-layout.ts'
import { fileOf, readAll, setUpFiles } from './testing/read-file.ts'
import { openText } from './text-file.ts'

setUpFiles()

const choicesFrom = (seed: number) => {
  const next = randomFrom(seed)
  return {
    below: (limit: number): number => Math.floor(next() * limit),
    pick: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T,
    chance: (share: number): boolean => next() < share,
  }
}
type Random = ReturnType<typeof choicesFrom>

const FILES = scaled(60, 150)
const words = ['fine', 'größer', 'naïve', 'said "yes"', 'a, b', 'c; d', 'e | f', "it's", '5" pipe', 'two\nlines', '"', ' lead ']

/** Returns a table in the form in which a program might write it. Each row contains a unique mark. */
const tableOf = (random: Random) => {
  const delimiter = random.pick([',', ';', '\t', '|'])
  const lineEnd = random.pick(['\n', '\r\n', '\r'])
  const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`
  const needsQuotes = (cell: string): boolean => /["\n\r]/.test(cell) || cell.includes(delimiter)
  const quotesAll = random.chance(0.3)
  const rows = Array.from({ length: 3 + random.below(12) }, (_, i) => [`mark${i}`, random.pick(words), random.pick(words)])
  const lines = [['id', 'text', 'note'], ...rows].map((row) =>
    row.map((cell) => (quotesAll || needsQuotes(cell) ? quoted(cell) : cell)).join(delimiter),
  )
  return { rows, lines, lineEnd, text: `${lines.join(lineEnd)}${random.chance(0.5) ? lineEnd : ''}` }
}

const decoded = async (bytes: Buffer): Promise<Buffer> => {
  const path = await fileOf(bytes)
  const text = await openText(path, (encoding) => `${path}.${encoding}`)
  return readFile(text.path)
}

/** Encodes text. `latin1` stands for Windows-1252, because the two are the same for the characters in these tests. */
const encoders: readonly ((text: string) => Buffer)[] = [
  (text) => Buffer.from(text),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(text, 'latin1'),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
]

test('every row of a well-formed table is read as it was written', async () => {
  const random = choicesFrom(20_240_229)
  for (let file = 0; file < FILES; file += 1) {
    const { rows, text } = tableOf(random)
    const bytes = await decoded(random.pick(encoders)(text))
    const read = await readAll(bytes, 'csv', random.pick([1, 2, 100]))
    const cells = read.map((row) => Object.values((row as readonly unknown[])[2] as object))
    expect(cells, JSON.stringify(text)).toEqual(rows)
  }
})

/** Returns the marks that weren't lost. A mark is either in a row that was read, or on a line that was reported as unreadable. */
const accountedMarks = (rows: readonly unknown[], text: string): ReadonlySet<string> => {
  const lines = text.split(/\r\n|\n|\r/)
  const marksIn = (part: string): readonly string[] => part.match(/mark\d+/g) ?? []
  const found = rows as readonly (readonly [row: number, line: number, content: unknown])[]
  return new Set(
    found.flatMap(([, line, content], i) => {
      if (typeof content === 'object') return marksIn(JSON.stringify(content))
      return marksIn(lines.slice(line - 1, (found[i + 1]?.[1] ?? lines.length + 1) - 1).join('\n'))
    }),
  )
}

const damaged = (random: Random, lines: readonly string[]): readonly string[] =>
  lines.map((line, i) => {
    if (i === 0 || !random.chance(0.3)) return line
    const at = random.below(line.length + 1)
    const inserted = random.pick(['"', '""', ',', ';', '\t', '"x'])
    return random.chance(0.5) ? `${line.slice(0, at)}${inserted}${line.slice(at)}` : line.slice(0, line.lastIndexOf('"'))
  })

test('no row of a damaged table is lost: each is read, or reported with its line', async () => {
  const random = choicesFrom(7)
  for (let file = 0; file < FILES; file += 1) {
    const { lines, lineEnd } = tableOf(random)
    const text = damaged(random, lines).join(lineEnd)
    const path = await fileOf(text)
    // A table whose heading can't be read is refused as a whole
    const layout = await openLayout(path, 'csv').catch(() => null)
    if (layout === null) continue
    const marks = new Set(text.match(/mark\d+/g))
    const read = (await readAll(text, 'csv', random.pick([1, 3, 100]))).filter(
      (row) => (row as readonly unknown[])[0] !== 'broken',
    )
    const accounted = accountedMarks(read, text)
    const inHeading = new Set(layout.header.join(' ').match(/mark\d+/g))
    expect(
      [...marks].filter((mark) => !accounted.has(mark) && !inHeading.has(mark)),
      JSON.stringify(text),
    ).toEqual([])
  }
})
