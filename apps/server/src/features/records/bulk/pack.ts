import { deserialize, serialize } from 'node:v8'
import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { SuggestionScore } from '@postil/contract/suggestions.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import type { Json } from '#platform/db/codecs.ts'
import { BulkTokens, type PackedTokens, packTokens } from './packed-tokens.ts'
import type {
  FieldShape,
  PreparedFields,
  PreparedMetadata,
  PreparedRecord,
  PreparedResponse,
  PreparedSuggestion,
  PreparedVector,
} from './prepare.ts'

/* Between parsing and storing, a bulk request passes through the main thread. It is packed into bytes, so that the main thread
   doesn't have to decode it. It is packed in columns, because a list of objects would repeat the keys for each record and take
   several times as long. */

type Columns = {
  readonly ids: (string | null)[]
  readonly externalIds: (string | null)[]
  /** The distinct field shapes. `shapeOf` contains the index of each record's shape, or −1 for a record without fields. */
  readonly shapes: (readonly FieldShape[])[]
  readonly shapeOf: number[]
  readonly fields: Json[]
  /** Undefined if not sent. */
  readonly metadata: (Json | null | undefined)[]
  /** Each record's number of suggestions; −1 if not sent. */
  readonly suggestions: number[]
  readonly questionIds: string[]
  readonly types: PreparedSuggestion['type'][]
  readonly agents: (string | null)[]
  readonly values: Json[]
  readonly scores: (Json | null)[]
  /**
   * The vectors of all records. `vectors` is the number of vectors of each record. `vectorNames` and `vectorLengths` describe
   * each vector. `numbers` contains the components of all vectors.
   */
  readonly vectors: number[]
  readonly vectorNames: string[]
  readonly vectorLengths: number[]
  readonly numbers: Float64Array
  /** By the record's position. */
  readonly responses: Map<number, readonly PreparedResponse[]>
}

const shapeKey = (shape: readonly FieldShape[]): string =>
  JSON.stringify(shape.map(({ name, isNull, kinds }) => [name, isNull, kinds]))

const columnsOf = (items: readonly PreparedRecord[]): Columns => {
  const shapes = new Map<string, number>()
  const vectors = items.flatMap((item) => item.vectors)
  const columns: Columns = {
    ids: items.map(({ id }) => id),
    externalIds: items.map(({ external_id }) => external_id),
    shapes: [],
    shapeOf: [],
    fields: [],
    metadata: items.map(({ metadata }) => (metadata === null ? undefined : metadata.json)),
    suggestions: items.map(({ suggestions }) => suggestions?.length ?? -1),
    questionIds: [],
    types: [],
    agents: [],
    values: [],
    scores: [],
    vectors: items.map((item) => item.vectors.length),
    vectorNames: vectors.map(({ name }) => name),
    vectorLengths: vectors.map(({ numbers }) => numbers.length),
    numbers: new Float64Array(vectors.reduce((sum, { numbers }) => sum + numbers.length, 0)),
    responses: new Map(items.flatMap(({ responses }, i) => (responses.length === 0 ? [] : [[i, responses]]))),
  }
  for (const { fields, suggestions } of items) {
    if (fields === null) columns.shapeOf.push(-1)
    else {
      const key = shapeKey(fields.shape)
      const known = shapes.get(key) ?? columns.shapes.push(fields.shape) - 1
      shapes.set(key, known)
      columns.shapeOf.push(known)
      columns.fields.push(fields.json)
    }
    for (const { question_id, type, agent, value_json, score_json } of suggestions ?? []) {
      columns.questionIds.push(question_id)
      columns.types.push(type)
      columns.agents.push(agent)
      columns.values.push(value_json)
      columns.scores.push(score_json)
    }
  }
  let at = 0
  for (const { numbers } of vectors) {
    columns.numbers.set(numbers, at)
    at += numbers.length
  }
  return columns
}

/** Reads the columns record by record. */
class Reader {
  readonly #columns: Columns
  #fields = 0
  readonly #tokens: BulkTokens
  #suggestions = 0
  #vectors = 0
  #numbers = 0
  constructor(columns: Columns, tokens: BulkTokens) {
    this.#columns = columns
    this.#tokens = tokens
  }

  record(i: number): PreparedRecord {
    const { ids, externalIds, responses } = this.#columns
    return {
      id: ids[i] ?? null,
      external_id: externalIds[i] ?? null,
      fields: this.#readFields(i),
      metadata: this.#readMetadata(i),
      responses: responses.get(i) ?? [],
      suggestions: this.#readSuggestions(i),
      vectors: this.#readVectors(i),
    }
  }

  #readFields(i: number): PreparedFields | null {
    const { shapes, shapeOf, fields } = this.#columns
    const shape = shapes[shapeOf[i] ?? -1]
    if (shape === undefined) return null
    this.#fields += 1
    return { json: fields[this.#fields - 1] as Json, shape, tokens: () => this.#tokens.of(i) }
  }

  #readMetadata(i: number): PreparedMetadata | null {
    const json = this.#columns.metadata[i]
    if (json === undefined) return null
    return { json, value: json === null ? null : (JSON.parse(json) as JsonObject) }
  }

  #readSuggestions(i: number): readonly PreparedSuggestion[] | null {
    const count = this.#columns.suggestions[i] ?? -1
    if (count < 0) return null
    return Array.from({ length: count }, () => this.#readSuggestion())
  }

  #readSuggestion(): PreparedSuggestion {
    const { questionIds, types, agents, values, scores } = this.#columns
    const at = this.#suggestions
    this.#suggestions += 1
    const value_json = values[at] as Json
    const score_json = scores[at] ?? null
    return {
      question_id: questionIds[at] ?? '',
      value: JSON.parse(value_json) as AnswerValue,
      type: types[at] ?? null,
      agent: agents[at] ?? null,
      score: score_json === null ? null : (JSON.parse(score_json) as SuggestionScore),
      value_json,
      score_json,
    }
  }

  #readVectors(i: number): readonly PreparedVector[] {
    const { vectors, vectorNames, vectorLengths, numbers } = this.#columns
    return Array.from({ length: vectors[i] ?? 0 }, () => {
      const at = this.#vectors
      this.#vectors += 1
      const start = this.#numbers
      this.#numbers += vectorLengths[at] ?? 0
      return { name: vectorNames[at] ?? '', numbers: numbers.subarray(start, this.#numbers) }
    })
  }
}

/** Serializes a value into shared memory, so that threads can pass it on without copying it again. */
const shared = (value: unknown): Uint8Array => {
  const bytes = serialize(value)
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.byteLength))
  copy.set(bytes)
  return copy
}

/** The packed records and their tokens. `tokens` is null if the tokens are packed separately. */
type Packed = { readonly columns: Columns; readonly tokens: PackedTokens | null }

const tokensOf = (items: readonly PreparedRecord[]): PackedTokens =>
  packTokens(
    items.map(({ fields }) => ({
      lists: fields?.tokens() ?? [],
      first: (fields?.shape ?? []).flatMap(({ kinds, first }) => (kinds.length === 0 ? [] : [first])),
    })),
  )

/** Packs records with their tokens. */
export const packRecords = (items: readonly PreparedRecord[]): Uint8Array =>
  shared({ columns: columnsOf(items), tokens: tokensOf(items) } satisfies Packed)

/** Packs records without their tokens, which are packed by `packTokensOf`. */
export const packContent = (items: readonly PreparedRecord[]): Uint8Array =>
  shared({ columns: columnsOf(items), tokens: null } satisfies Packed)
export const packTokensOf = (items: readonly PreparedRecord[]): Uint8Array => shared(tokensOf(items))

/** @param packed output of `packTokensOf` */
export const takeTokens = (tokens: BulkTokens, packed: Uint8Array): void => tokens.receive(deserialize(packed) as PackedTokens)

/**
 * Unpacks the output of `packRecords` or `packContent`. If the tokens were not packed with the records, `takeTokens` adds them
 * later. Records whose fields have the same names and types share one `shape` object.
 */
export const unpackBulk = (packed: Uint8Array): { readonly items: readonly PreparedRecord[]; readonly tokens: BulkTokens } => {
  const { columns, tokens: packedTokens } = deserialize(packed) as Packed
  const tokens = new BulkTokens()
  if (packedTokens !== null) tokens.receive(packedTokens)
  const reader = new Reader(columns, tokens)
  return { items: columns.ids.map((_, i) => reader.record(i)), tokens }
}
export const unpackRecords = (packed: Uint8Array): readonly PreparedRecord[] => unpackBulk(packed).items
