/** Long enough for few writes, short enough to bound the copies of a large answer. */
const PIECE_CHARACTERS = 1_000_000

/**
 * Joins texts to pieces of bytes, one at a time. The whole could be longer than the longest string.
 */
export function* piecesOf(texts: Iterable<string>): Generator<Uint8Array> {
  let piece = ''
  for (const text of texts) {
    piece += text
    if (piece.length < PIECE_CHARACTERS) continue
    yield Buffer.from(piece)
    piece = ''
  }
  if (piece !== '') yield Buffer.from(piece)
}
