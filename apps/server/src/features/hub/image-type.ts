const ascii = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.subarray(start, end)).toString('latin1')

/** The media type of an image by its first bytes; PNG where they are of none that is known. */
export const imageType = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'image/jpeg'
  if (ascii(bytes, 0, 4) === 'GIF8') return 'image/gif'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp'
  if (ascii(bytes, 4, 8) === 'ftyp') return ascii(bytes, 8, 12).startsWith('avi') ? 'image/avif' : 'image/heic'
  if (ascii(bytes, 0, 2) === 'BM') return 'image/bmp'
  if (['II*\u0000', 'MM\u0000*'].includes(ascii(bytes, 0, 4))) return 'image/tiff'
  return 'image/png'
}
