import type { FieldTokens } from '#platform/text/evaluate.ts'
import { printer } from '../text/index-tokens.ts'

/**
 * Maximum number of positions in a block. PostgreSQL's text vectors have limits: 1 MB in total, positions up to 16,383, 256
 * positions per word, 2,047 bytes per word. A long record is therefore stored in blocks. Blocks overlap so that every phrase in a
 * query fits entirely in one of them.
 */
const MAX_POSITIONS = 10_000
const MAX_BYTES = 200_000
const MAX_OCCURRENCES = 255
export const OVERLAP = 64
/** Number of empty positions between fields, so that no phrase matches across two fields. */
const FIELD_GAP = 2

/** Weights that identify a dataset's first fields in a query. Tokens of other fields are identified by a marker instead. */
const WEIGHTS = ['A', 'B', 'C']
export const weightOf = (field: number): string | null => WEIGHTS[field] ?? null

const quote = (lexeme: string): string => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

class Block {
  readonly #places = new Map<string, string[]>()
  #position = 0
  #bytes = 0
  #fullest = 0
  get isFull(): boolean {
    return this.#position >= MAX_POSITIONS || this.#bytes >= MAX_BYTES || this.#fullest >= MAX_OCCURRENCES
  }
  /** Adds all names of a token at the next position. */
  add(names: readonly string[], weight: string): void {
    this.#position += 1
    for (const name of names) {
      const known = this.#places.get(name)
      if (known === undefined) {
        this.#places.set(name, [`${this.#position}${weight}`])
        this.#bytes += Buffer.byteLength(name, 'utf8')
      } else known.push(`${this.#position}${weight}`)
      this.#fullest = Math.max(this.#fullest, known?.length ?? 1)
    }
  }
  gap(): void {
    this.#position += FIELD_GAP
  }
  print(): string {
    const words: string[] = []
    for (const [name, places] of this.#places) words.push(`${quote(name)}:${places.join(',')}`)
    return words.join(' ')
  }
}

/** Returns a record's blocks as `tsvector` literals. Nearly every record has only one block. */
export const blocksOf = (datasetNo: number, fields: readonly FieldTokens[]): string[] => {
  const plain = printer(datasetNo)
  const blocks = [new Block()]
  for (const { field, tokens } of fields) {
    const weight = weightOf(field)
    const marked = printer(datasetNo, field)
    const put = (token: string) =>
      blocks.at(-1)?.add(weight === null ? [plain(token), marked(token)] : [plain(token)], weight ?? '')
    blocks.at(-1)?.gap()
    for (const [at, token] of tokens.entries()) {
      if (blocks.at(-1)?.isFull === true) {
        blocks.push(new Block())
        for (const again of tokens.slice(Math.max(0, at - OVERLAP), at)) put(again)
      }
      put(token)
    }
  }
  return blocks.map((block) => block.print())
}
