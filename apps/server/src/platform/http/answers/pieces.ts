/** Minimum size of a piece: large enough for few writes, small enough to bound the memory for copies of a large response. */
const PIECE_CHARACTERS = 1_000_000

/**
 * Joins strings into pieces of bytes and yields the pieces one at a time, because a string of the whole response could exceed the
 * maximum string length.
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
