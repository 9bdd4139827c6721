/** Minimum number of characters in a piece of a response. Larger pieces need fewer writes, but more memory. */
const PIECE_CHARACTERS = 1_000_000

/**
 * Joins strings into pieces of bytes and yields the pieces one at a time. If the whole response were one string, it could exceed
 * the maximum string length.
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
