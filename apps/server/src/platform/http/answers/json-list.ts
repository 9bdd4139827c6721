import { JsonStream, RawJson } from './answers.ts'
import { piecesOf } from './pieces.ts'

/** The items of a list, each serialized as JSON. Either a list of all items, or an iterable that yields several at a time. */
export type Items = readonly string[] | AsyncIterable<readonly string[]>

const isWhole = (items: Items): items is readonly string[] => Array.isArray(items)

/**
 * Prints `{"items":[…]}`. A list that arrives in pieces is sent in pieces, because a large list doesn't fit in one string. The
 * bytes are the same either way.
 * @param rest the JSON of the keys after `items`, without braces
 */
export const jsonList = (items: Items, rest = ''): RawJson | JsonStream => {
  const end = rest === '' ? ']}' : `],${rest}}`
  if (isWhole(items)) return new RawJson(`{"items":[${items.join(',')}${end}`)
  async function* chunks(pieces: AsyncIterable<readonly string[]>): AsyncGenerator<Uint8Array> {
    let before = '{"items":['
    const withComma = (item: string): string => {
      const text = before + item
      before = ','
      return text
    }
    for await (const piece of pieces) yield* piecesOf(piece.values().map(withComma))
    yield Buffer.from((before === ',' ? '' : before) + end, 'utf8')
  }
  return new JsonStream(chunks(items))
}
