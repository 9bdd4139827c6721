import { message, type Reason } from '@postil/contract/wire/message.ts'

type Sentence = { readonly values: ReadonlyMap<string, unknown> } | { readonly fault: Reason }

/** The names of the columns of CoNLL-2003 between the token and the tag. */
const CONLL_2003 = ['pos_tags', 'chunk_tags']
/** The number of columns of CoNLL-U. */
const CONLL_U = 10

const cellsOf = (line: string): readonly string[] =>
  line.includes('\t') ? line.split('\t').map((cell) => cell.trim()) : line.trim().split(/\s+/)

/** A comment of CoNLL-U, such as `# sent_id = 1`. */
const commentIn = (line: string): readonly [name: string, value: string] | null => {
  const equals = line.indexOf('=')
  if (!line.startsWith('#') || equals === -1) return null
  const name = line.slice(1, equals).trim()
  return /^[\w:]+$/.test(name) ? [name, line.slice(equals + 1).trim()] : null
}

/**
 * In sentences with tabs, a line that begins with a number sign and contains no tab is also a comment. In other sentences, the
 * number sign can be a token.
 */
const isComment = (line: string, hasTabs: boolean): boolean => commentIn(line) !== null || (hasTabs && /^#[^\t]*$/.test(line))
const isDocument = (line: string): boolean => line.startsWith('-DOCSTART-')

/**
 * Returns the words of a sentence from a CoNLL-U file, and their parts of speech as tags. Skips the lines of contractions, whose
 * ID is a range such as `3-4`, and of omitted words, whose ID is a decimal such as `5.1`.
 */
const ofUniversal = (rows: readonly (readonly string[])[]) => {
  const words = rows.filter(([id = '']) => /^\d+$/.test(id))
  return { tokens: words.map(([, form]) => form), tags: words.map(([, , , upos = '_']) => (upos === '_' ? 'O' : `S-${upos}`)) }
}

const isUniversal = (rows: readonly (readonly string[])[]): boolean =>
  rows.every(({ length, [0]: id = '' }) => length === CONLL_U && /^\d+([-.]\d+)?$/.test(id))

/**
 * Reads a sentence of a file with one token per line: the first column is the token, and the last one its tag. Comments become
 * values. Null if there are no tokens, for example if the block only marks the beginning of a document.
 */
export const readSentence = (block: string): Sentence | null => {
  const lines = block.split(/\r?\n/).filter((line) => line.trim() !== '' && !isDocument(line))
  const hasTabs = block.includes('\t')
  const comments = lines.map(commentIn).filter((comment) => comment !== null)
  const rows = lines.filter((line) => !isComment(line, hasTabs)).map(cellsOf)
  const [first] = rows
  if (first === undefined) return null
  const odd = rows.find(({ length }) => length !== first.length)
  if (odd !== undefined)
    return { fault: message('tokenColumns', { token: JSON.stringify(odd[0]), found: odd.length, expected: first.length }) }
  if (first.length < 2) return { fault: message('tokenUntagged', { token: JSON.stringify(first[0]) }) }
  if (isUniversal(rows)) {
    const { tokens, tags } = ofUniversal(rows)
    return { values: new Map<string, unknown>([...comments, ['tokens', tokens], ['upos_tags', tags]]) }
  }
  const between = Array.from({ length: first.length - 2 }, (_, i) => i + 1)
  const others = between
    .filter((no) => rows.some((cells) => !/^(_|-|-X-|O)$/.test(cells[no] ?? '')))
    .map((no): [string, unknown] => [
      (first.length === 4 ? CONLL_2003[no - 1] : undefined) ?? `column ${no + 1}`,
      rows.map((cells) => cells[no]),
    ])
  const tokens = rows.map(([token]) => token)
  const tags = rows.map((cells) => cells.at(-1))
  return { values: new Map<string, unknown>([...comments, ['tokens', tokens], ['ner_tags', tags], ...others]) }
}
